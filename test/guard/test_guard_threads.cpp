// SPDX-License-Identifier: BSD-3-Clause
// Many threads post, release and touch at once.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "guard/aligned_pages.hpp"
#include "guard/guard.hpp"
#include "support/catch.hpp"

using waybill::Finding;
using waybill::guard::Guard;
using waybill::guard::Guarded;
using waybill::registry::Access;
using waybill::test::AlignedPages;
using waybill::test::page_bytes;
using waybill::test::record_of;

namespace {

struct CountedFindings final : waybill::registry::Sink {
  void report(Finding&& /*finding*/) noexcept override { ++count; }
  std::atomic<int> count{0};
};

void run_threads(int number, const std::function<void(int)>& run) {
  std::vector<std::thread> threads;
  for (int i = 0; i < number; ++i) threads.emplace_back(run, i);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("threads that touch at once: one finding, and every write arrives") {
  CountedFindings sink;
  Guard guard(0, sink);
  AlignedPages pages(4);
  for (int round = 1; round <= 200; ++round) {
    Guarded* const guarded = guard.protect(record_of(Access::read, pages.address(), pages.size()));
    REQUIRE(guarded != nullptr);
    std::atomic<int> ready{0};
    run_threads(4, [&](int thread) {
      ++ready;
      while (ready < 4) std::this_thread::yield();
      for (std::size_t page = 0; page < 4; ++page) {
        pages[page * page_bytes() + static_cast<std::size_t>(thread)] =
            static_cast<unsigned char>(round);
      }
    });
    REQUIRE(guard.release(guarded));
    for (std::size_t page = 0; page < 4; ++page) {
      for (std::size_t thread = 0; thread < 4; ++thread) {
        REQUIRE(pages[page * page_bytes() + thread] == round % 256);
      }
    }
    REQUIRE(sink.count == round);
  }
}

TEST_CASE("touches race with posts and releases, and nothing is lost or dies") {
  // Each toucher writes bytes of its own all the time, on pages that others keep
  // protecting and giving back: many a fault meets a page that is open again.
  CountedFindings sink;
  Guard guard(0, sink);
  AlignedPages pages(2);
  std::atomic<int> posting{2};
  std::atomic<int> touched{0};
  std::atomic<int> missed{0};
  std::atomic<long> rounds{0};  // of the first toucher
  const auto post = [&](int thread) {
    for (int i = 0; i < 2'000; ++i) {
      const Access access = (i + thread) % 2 == 0 ? Access::read : Access::write;
      Guarded* const guarded = guard.protect(record_of(access, pages.address(), pages.size()));
      const bool waits = i % 20 == 0;
      // The second round from here has begun after the pages were protected.
      for (const long before = rounds; waits && rounds < before + 2;) std::this_thread::yield();
      const bool was_touched = guard.release(guarded);
      touched += was_touched;
      missed += waits && !was_touched;
    }
    --posting;
  };
  const auto touch = [&](int thread) {
    unsigned char value = 0;
    const auto mine = static_cast<std::size_t>(thread) * 64;
    while (posting > 0) {
      for (const std::size_t byte : {mine, page_bytes() + mine}) {
        if (pages[byte] != value) std::abort();
        pages[byte] = static_cast<unsigned char>(value + 1);
      }
      ++value;
      if (thread == 2) ++rounds;
      if (value % 16 == 0) std::this_thread::yield();
    }
  };
  run_threads(4, [&](int thread) { thread < 2 ? post(thread) : touch(thread); });
  REQUIRE(missed == 0);
  REQUIRE(sink.count == touched);
}

TEST_CASE("10,000 random steps agree with a model that looks at each byte") {
  CountedFindings sink;
  Guard guard(0, sink, {.watchpoints = false});
  constexpr std::size_t page_number = 12;
  AlignedPages pages(page_number);
  struct Held {
    Guarded* guarded;
    std::size_t begin;  // of the whole pages
    std::size_t end;
    Access access;
    bool touched;
  };
  std::vector<Held> held;
  std::mt19937 random(7);
  for (int step = 0; step < 10'000; ++step) {
    const auto choice = random() % 4;
    if (choice == 0 && held.size() < 10) {
      const std::size_t begin = random() % pages.size();
      const std::size_t bytes = 1 + random() % (pages.size() - begin);
      const Access access = random() % 2 == 0 ? Access::read : Access::write;
      const std::size_t first = (begin + page_bytes() - 1) / page_bytes() * page_bytes();
      const std::size_t last = (begin + bytes) / page_bytes() * page_bytes();
      Guarded* const guarded = guard.protect(record_of(access, pages.address(begin), bytes));
      if ((guarded != nullptr) != (first < last)) FAIL("protected or not, step " << step);
      if (guarded != nullptr) held.push_back({guarded, first, last, access, false});
    } else if (choice == 1 && !held.empty()) {
      const auto which = random() % held.size();
      if (guard.release(held[which].guarded) != held[which].touched) FAIL("step " << step);
      held[which] = held.back();
      held.pop_back();
    } else {
      const std::size_t byte = random() % pages.size();
      const bool write = random() % 2 == 0;
      const unsigned char before = pages[byte];
      if (write) pages[byte] = static_cast<unsigned char>(before + 1);
      for (Held& one : held) {
        const bool on_it = byte >= one.begin && byte < one.end;
        // reading the old value was a touch too
        if (on_it && (write || one.access == Access::write)) one.touched = true;
      }
      if (pages[byte] != static_cast<unsigned char>(before + (write ? 1 : 0)))
        FAIL("lost " << step);
    }
  }
  for (const Held& one : held) REQUIRE(guard.release(one.guarded) == one.touched);
}
