// Choice of the instruction set.
#include "scrubjay/kernels/dispatch.h"

#include <doctest/doctest.h>

#include "scrubjay/base/error.h"

using namespace scrubjay::kernels;

TEST_CASE("scalar is always supported and comes first") {
    REQUIRE_FALSE(supported_isas().empty());
    CHECK(supported_isas().front() == Isa::scalar);
}

TEST_CASE("every supported set parses back from its own name") {
    for (const Isa isa : supported_isas()) {
        CHECK(parse_isa(isa_name(isa)) == isa);
    }
}

TEST_CASE("an unknown set is refused with the list of known ones") {
    try {
        static_cast<void>(parse_isa("mmx"));
        FAIL("parse_isa accepted mmx");
    } catch (const scrubjay::Error& error) {
        CHECK(error.code() == scrubjay::Errc::invalid_argument);
        CHECK(std::string(error.what()).find("scalar") != std::string::npos);
    }
}
