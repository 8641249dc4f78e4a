// The one sentence about damaged state.
#include "scrubjay/index/archive.h"

#include "scrubjay/base/error.h"

namespace scrubjay::index {

void refuse_damage(const std::string& where, const std::string& what, const std::string& got,
                   const std::string& expected) {
    throw Error(Errc::corruption, where + ": " + what + " is damaged, got " + got + ", expected " +
                                      expected + "; remove the file and build the index again");
}

void require_elements(const std::string& where, const std::string& name, std::size_t got,
                      std::size_t expected) {
    if (got != expected) {
        refuse_damage(where, name, std::to_string(got) + " elements",
                      std::to_string(expected) + " by the rest of the file");
    }
}

}  // namespace scrubjay::index
