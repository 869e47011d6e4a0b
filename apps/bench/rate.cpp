// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <span>
#include <thread>
#include <vector>

#include "quantity.hpp"
#include "tests.hpp"
#include "timed_loop.hpp"

namespace bench {

namespace {

constexpr std::size_t window = 64;
constexpr std::size_t most_memory = std::size_t{256} << 20;

struct Span {
  Clock::time_point begin = Clock::time_point::max();
  Clock::time_point end = Clock::time_point::min();
};

/// Windows of short messages from rank 0 to rank 1, by several threads, each
/// with a tag and memory of its own.
class Traffic {
 public:
  Traffic(int rank, std::size_t threads, std::size_t bytes)
      : rank_(rank),
        threads_(threads),
        bytes_(bytes),
        data_(threads * (window * bytes + padding)) {}

  template <class Side>
  void windows(const Side& side, std::size_t thread, std::size_t iterations) {
    const int tag = static_cast<int>(2 * thread);
    const auto mine =
        std::span<std::byte>(data_).subspan(thread * (window * bytes_ + padding), window * bytes_);
    std::vector<typename Side::Handle> handles(window);
    std::vector<std::byte> acknowledgement(4);
    for (std::size_t i = 0; i < iterations; ++i) {
      for (std::size_t k = 0; k < window; ++k) {
        const auto part = mine.subspan(k * bytes_, bytes_);
        handles[k] = rank_ == 0 ? side.isend(part, 1, tag) : side.irecv(part, 0, tag);
      }
      side.wait_all(handles);
      if (rank_ == 0) side.recv(acknowledgement, 1, tag + 1);
      else side.send(acknowledgement, 0, tag + 1);
    }
  }

  /// Seconds from the first thread's begin to the last one's end. A single thread
  /// is the main thread, since MPI may allow no other.
  template <class Side>
  double run(const Bench& bench, const Side& side, std::size_t iterations) {
    if (threads_ > 1) return run_threads(bench, side, iterations);
    windows(side, 0, warm_up(iterations));
    return time_loop(bench, side, iterations, [this](const auto& with, std::size_t count) {
      this->windows(with, 0, count);
    });
  }

 private:
  static constexpr std::size_t padding = 128;  // so that threads share no cache line

  static std::size_t warm_up(std::size_t iterations) {
    return std::max<std::size_t>(iterations / 8, 1);
  }

  template <class Side>
  double run_threads(const Bench& bench, const Side& side, std::size_t iterations) {
    std::vector<Span> spans(threads_);
    std::barrier ready(static_cast<std::ptrdiff_t>(threads_) + 1);
    std::vector<std::thread> running;
    for (std::size_t thread = 0; thread < threads_; ++thread) {
      running.emplace_back([&, thread] {
        windows(side, thread, warm_up(iterations));
        ready.arrive_and_wait();  // warm
        ready.arrive_and_wait();  // all ranks are
        spans[thread].begin = Clock::now();
        windows(side, thread, iterations);
        spans[thread].end = Clock::now();
      });
    }
    ready.arrive_and_wait();
    bench.barrier();
    ready.arrive_and_wait();
    for (std::thread& thread : running) thread.join();
    Span whole;
    for (const Span& span : spans) {
      whole.begin = std::min(whole.begin, span.begin);
      whole.end = std::max(whole.end, span.end);
    }
    return std::chrono::duration<double>(whole.end - whole.begin).count();
  }

  int rank_;
  std::size_t threads_;
  std::size_t bytes_;
  std::vector<std::byte> data_;
};

void measure(Bench& bench, std::size_t bytes, std::size_t threads) {
  bench.show(fmt::format("rate, {} threads", threads));
  const Turns turns{bench.contenders(), bench.settings().rounds};
  Traffic traffic(bench.rank(), threads, bytes);
  const std::size_t iterations = calibrate_timed(
      bench, turns, bench.block_seconds(),
      [&](const auto& side, std::size_t count) { return traffic.run(bench, side, count); });
  const Samples samples = interleave(
      bench, turns, [&](const auto& side) { return Values{traffic.run(bench, side, iterations)}; });
  Result result;
  result.test = "rate";
  result.pattern = fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
  result.bytes = bytes;
  result.quantity = "message rate";
  result.unit = "million/s";
  result.better = Better::higher;
  result.extras["threads"] = static_cast<double>(threads);
  result.extras["window"] = static_cast<double>(window);
  result.extras["iterations"] = static_cast<double>(iterations);
  const auto messages = static_cast<double>(threads * window * iterations);
  add_results(bench, turns, samples, result,
              [&](const auto& rounds) { return inverse(column(rounds), messages / 1e6); });
}

}  // namespace

void run_rate(Bench& bench, const Entry& entry) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  for (const std::size_t bytes : bench.sizes(entry)) {
    for (const std::size_t threads : bench.settings().threads) {
      if (threads > 1 && level < MPI_THREAD_MULTIPLE) {
        bench.note(fmt::format("rate leaves out {} threads: MPI allows one.", threads));
        continue;
      }
      if (bytes * window * threads > most_memory) {
        bench.note(fmt::format("rate leaves out {} threads with messages of {}.", threads,
                               text_of_bytes(bytes)));
        continue;
      }
      measure(bench, bytes, threads);
    }
  }
}

}  // namespace bench
