// Parallel loops: every index once, one outcome for any number of threads, and prompt stops.
#include "scrubjay/base/workers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "scrubjay/base/rng.h"

using scrubjay::draw;
using scrubjay::Interrupted;
using scrubjay::Poll;
using scrubjay::Workers;

TEST_CASE("every index runs once, with the same result for every number of threads") {
    for (const std::size_t count : {0UL, 1UL, 2UL, 7UL, 1000UL}) {
        std::vector<std::uint64_t> expected(count);
        for (std::size_t i = 0; i < count; ++i) {
            expected[i] = draw(3, i);
        }
        for (std::size_t threads = 1; threads <= 4; ++threads) {
            Workers workers(threads);
            for (int turn = 0; turn < 5; ++turn) {
                std::vector<std::uint64_t> out(count);
                std::vector<int> calls(count);
                workers.run(count, [&](std::size_t i, std::size_t worker, const Poll& /*poll*/) {
                    CHECK(worker < workers.size());
                    out[i] = draw(3, i);
                    ++calls[i];
                });
                CHECK(expected == out);
                CHECK(std::vector<int>(count, 1) == calls);
            }
        }
    }
}

TEST_CASE("a run may grow after a smaller one") {
    Workers workers(4);
    for (const std::size_t count : {1UL, 2UL, 50UL, 3UL}) {
        std::vector<int> calls(count);
        workers.run(count, [&](std::size_t i, std::size_t /*worker*/, const Poll& /*poll*/) {
            ++calls[i];
        });
        CHECK(std::vector<int>(count, 1) == calls);
    }
}

TEST_CASE("the exception of the lowest failing index reaches the caller, and all below it ran") {
    for (std::size_t threads = 1; threads <= 4; ++threads) {
        Workers workers(threads);
        for (int turn = 0; turn < 20; ++turn) {
            std::vector<int> calls(500);
            std::string what;
            try {
                workers.run(500, [&](std::size_t i, std::size_t /*worker*/, const Poll& poll) {
                    poll();
                    ++calls[i];
                    if (i >= 100 && i % 50 < 3) {
                        throw std::runtime_error(std::to_string(i));
                    }
                });
            } catch (const std::runtime_error& error) {
                what = error.what();
            }
            CHECK("100" == what);
            CHECK(std::vector<int>(101, 1) == std::vector<int>(calls.begin(), calls.begin() + 101));
        }
    }
}

TEST_CASE("the caller's poll is asked on the calling thread alone and stops all bodies") {
    const auto caller = std::this_thread::get_id();
    struct Host {
        std::thread::id caller;
        int asked = 0;
        bool elsewhere = false;
    };
    const auto stop = [](void* context) {
        Host& host = *static_cast<Host*>(context);
        host.elsewhere = host.elsewhere || std::this_thread::get_id() != host.caller;
        if (++host.asked == 100) {
            throw Interrupted();
        }
    };
    for (std::size_t threads = 1; threads <= 4; ++threads) {
        Workers workers(threads);
        Host host{caller};
        // Bodies that end only by their poll.
        const auto endless = [](std::size_t /*i*/, std::size_t /*worker*/, const Poll& poll) {
            for (;;) {
                poll();
                std::this_thread::yield();
            }
        };
        CHECK_THROWS_AS(workers.run(100, endless, Poll(stop, &host)), Interrupted);
        CHECK(100 == host.asked);
        CHECK(!host.elsewhere);
        int calls = 0;
        workers.run(1, [&](std::size_t /*i*/, std::size_t /*w*/, const Poll& /*p*/) { ++calls; });
        CHECK(1 == calls);
    }
}

TEST_CASE("the calling thread asks while it waits for the others") {
    std::atomic<int> asked{0};
    const auto count = [](void* context) { ++*static_cast<std::atomic<int>*>(context); };
    std::atomic<bool> other{false};
    Workers workers(2);
    workers.run(
        2,
        [&](std::size_t /*i*/, std::size_t worker, const Poll& /*poll*/) {
            // The caller's body waits for the other's, which works until the caller has asked thrice.
            other.store(other.load() || worker != 0);
            while (worker == 0 ? !other.load() : asked.load() < 3) {
                std::this_thread::yield();
            }
        },
        Poll(count, &asked));
    CHECK(asked.load() >= 3);
}

TEST_CASE("bodies that never ask are asked for") {
    int asked = 0;
    int calls = 0;
    const auto stop = [](void* context) {
        if (++*static_cast<int*>(context) == 4) {
            throw Interrupted();
        }
    };
    const auto body = [&](std::size_t /*i*/, std::size_t /*worker*/, const Poll& /*poll*/) {
        ++calls;
    };
    CHECK_THROWS_AS(Workers(1).run(100, body, Poll(stop, &asked)), Interrupted);
    CHECK(3 == calls);
}

TEST_CASE("the number of threads is that of the CPUs this process may use") {
    CHECK(Workers::available() >= 1);
    CHECK(Workers::available() == Workers().size());
    CHECK(3 == Workers(3).size());
}
