// The gate: what readers may see, who waits for whom, and that nobody waits for ever.
#include "scrubjay/base/gate.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "scrubjay/base/parking.h"

using scrubjay::Interrupted;
using scrubjay::Poll;
using scrubjay::ReadGate;

namespace {

// Two plain numbers that are equal whenever nobody is inside a publish.
struct Pair {
    int a = 0;
    int b = 0;
};

void publish(ReadGate& gate, Pair& pair) {
    const ReadGate::Turn turn(gate);
    const ReadGate::Publish publish(turn);
    ++pair.a;
    ++pair.b;
}

}  // namespace

TEST_CASE("readers see whole publishes, and neither stream starves the other") {
    ReadGate gate;
    Pair pair;
    std::atomic<bool> done{false};
    std::array<int, 3> reads{};
    std::atomic<int> torn{0};
    std::vector<std::thread> threads;
    for (int& count : reads) {
        threads.emplace_back([&] {
            while (!done.load()) {
                const ReadGate::Read read(gate);
                torn += pair.a != pair.b ? 1 : 0;
                ++count;
            }
        });
    }
    for (int writer = 0; writer < 2; ++writer) {
        threads.emplace_back([&] {
            for (int turn = 0; turn < 2000; ++turn) {
                publish(gate, pair);
            }
        });
    }
    for (std::size_t writer = reads.size(); writer < threads.size(); ++writer) {
        threads[writer].join();
    }
    done.store(true);
    for (std::size_t reader = 0; reader < reads.size(); ++reader) {
        threads[reader].join();
    }
    CHECK(0 == torn.load());
    CHECK(4000 == pair.a);
    CHECK(4000 == pair.b);
}

TEST_CASE("readers enter while a writer is at work, and a publish waits for those inside") {
    ReadGate gate;
    Pair pair;
    std::atomic<int> stage{0};
    std::thread writer;
    {
        const ReadGate::Read read(gate);
        writer = std::thread([&] {
            const ReadGate::Turn turn(gate);
            stage.store(1);
            while (stage.load() == 1) {
                std::this_thread::yield();
            }
            const ReadGate::Publish publish(turn);
            ++pair.a;
        });
        while (stage.load() == 0) {
            std::this_thread::yield();
        }
        std::thread([&] { const ReadGate::Read beside(gate); }).join();
        stage.store(2);
        for (int turn = 0; turn < 1000; ++turn) {
            std::this_thread::yield();
        }
        CHECK(0 == pair.a);
    }
    writer.join();
    CHECK(1 == pair.a);
}

TEST_CASE("readers that came during a publish go in before the next one") {
    // A writer that publishes without pause against a reader that must come in a thousand times.
    ReadGate gate;
    Pair pair;
    std::atomic<bool> done{false};
    std::thread writer([&] {
        const ReadGate::Turn turn(gate);
        while (!done.load()) {
            const ReadGate::Publish publish(turn);
            ++pair.a;
            ++pair.b;
        }
    });
    int torn = 0;
    for (int turn = 0; turn < 1000; ++turn) {
        const ReadGate::Read read(gate);
        torn += pair.a != pair.b ? 1 : 0;
    }
    done.store(true);
    writer.join();
    CHECK(0 == torn);
}

TEST_CASE("waiting for another's turn can be interrupted, and the turn is then still usable") {
    ReadGate gate;
    Pair pair;
    const auto stop = [](void* asked) {
        if (++*static_cast<int*>(asked) == 3) {
            throw Interrupted();
        }
    };
    int asked = 0;
    {
        const ReadGate::Turn held(gate);
        std::thread([&] {
            CHECK_THROWS_AS(ReadGate::Turn(gate, Poll(stop, &asked)), Interrupted);
        }).join();
    }
    CHECK(3 == asked);
    publish(gate, pair);
    CHECK(1 == pair.a);
}

#if !defined(__SANITIZE_THREAD__)
TEST_CASE("a child of a fork finds the gate free, whatever other threads held") {
    ReadGate gate;
    Pair pair;
    std::atomic<int> inside{0};
    std::atomic<bool> done{false};
    std::thread writer([&] {
        const ReadGate::Turn turn(gate);
        ++inside;
        while (!done.load()) {
            const ReadGate::Publish publish(turn);
            ++pair.a;
            for (int pause = 0; pause < 2000; ++pause) {
                scrubjay::relax();  // Most forks find a publish half done.
            }
            ++pair.b;
        }
    });
    std::thread reader([&] {
        while (!done.load()) {
            const ReadGate::Read read(gate);
            ++inside;
        }
    });
    while (inside.load() < 2) {
        std::this_thread::yield();
    }
    for (int turn = 0; turn < 20; ++turn) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);  // A child that hangs dies of it.
            bool whole = false;
            {
                const ReadGate::Read read(gate);
                whole = pair.a == pair.b;
            }
            publish(gate, pair);
            _exit(whole && pair.a == pair.b ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(0 == status);
    }
    done.store(true);
    writer.join();
    reader.join();
}
#endif
