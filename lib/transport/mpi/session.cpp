// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/session.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "transport/mpi/check.hpp"
#include "transport/mpi/serial_lock.hpp"
#include "transport/mpi/until_read.hpp"

namespace waybill::transport::mpi {

namespace {

int mpi_level(ThreadLevel level) noexcept {
  switch (level) {
    case ThreadLevel::single: return MPI_THREAD_SINGLE;
    case ThreadLevel::funneled: return MPI_THREAD_FUNNELED;
    case ThreadLevel::serialized: return MPI_THREAD_SERIALIZED;
    case ThreadLevel::multiple: break;
  }
  return MPI_THREAD_MULTIPLE;
}

/// The standard fixes the order of the levels, not their values (section 12.4.3).
ThreadLevel level_of(int provided) noexcept {
  if (provided >= MPI_THREAD_MULTIPLE) return ThreadLevel::multiple;
  if (provided >= MPI_THREAD_SERIALIZED) return ThreadLevel::serialized;
  if (provided >= MPI_THREAD_FUNNELED) return ThreadLevel::funneled;
  return ThreadLevel::single;
}

void say(const std::string& line) noexcept {
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
}

/// Ends the process if it is not destroyed within the bound.
class Watchdog {
 public:
  Watchdog(std::chrono::milliseconds bound, int rank)
      : thread_([this, bound, rank] { watch(bound, rank); }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_one();
    thread_.join();
  }

 private:
  void watch(std::chrono::milliseconds bound, int rank) {
    std::unique_lock lock(mutex_);
    if (over_.wait_for(lock, bound, [this] { return done_; })) return;
    say(
        fmt::format("waybill: rank {}: MPI_Finalize has not returned for {} ms, since operations "
                    "were left over; this process ends with status 1\n",
                    rank, bound.count()));
    _exit(EXIT_FAILURE);
  }

  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace

Session::Session(ThreadLevel wanted) {
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised != 0) {
    ErrorDetail detail;
    detail.routine = "Runtime";
    detail.what = "Runtime: MPI was finalised already and cannot start again in this process";
    throw Error(Errc::not_running, std::move(detail));
  }
  int initialised = 0;
  MPI_Initialized(&initialised);
  int provided = MPI_THREAD_SINGLE;
  if (initialised == 0) {
    require(MPI_Init_thread(nullptr, nullptr, mpi_level(wanted), &provided), "MPI_Init_thread");
    owner_ = true;
    require(MPI_Comm_dup(MPI_COMM_WORLD, &end_channel_), "MPI_Comm_dup");
  } else {
    require(MPI_Query_thread(&provided), "MPI_Query_thread");
  }
  level_ = level_of(provided);
  SerialLock::enable(level_ == ThreadLevel::serialized);
  require(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  require(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
}

Session::~Session() {
  const std::chrono::milliseconds bound = std::chrono::seconds(5);
  finish(std::uncaught_exceptions() > 0 ? Patience::end_after(bound) : Patience::speak_after(bound),
         false);
}

int Session::lowest_rank_where(bool yes) const { return lowest_ranks_where({yes}).front(); }

std::vector<int> Session::lowest_ranks_where(const std::vector<bool>& yes) const {
  std::vector<int> mine(yes.size());
  std::transform(yes.begin(), yes.end(), mine.begin(),
                 [this](bool each) { return each ? rank_ : size_; });
  std::vector<int> lowest(mine.size());
  require(MPI_Allreduce(mine.data(), lowest.data(), static_cast<int>(mine.size()), MPI_INT, MPI_MIN,
                        MPI_COMM_WORLD),
          "MPI_Allreduce");
  return lowest;
}

bool Session::meet(const Patience& patience, bool leftovers) noexcept {
  using Clock = std::chrono::steady_clock;
  const int mine = leftovers ? 1 : 0;
  int any = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&mine, &any, 1, MPI_INT, MPI_MAX, end_channel_, &request);
  const auto begin = Clock::now();
  bool spoken = false;
  for (int here = 0; MPI_Test(&request, &here, MPI_STATUS_IGNORE), here == 0;) {
    const auto waited = Clock::now() - begin;
    if (waited > std::chrono::milliseconds(2)) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    if (spoken || waited < patience.bound) continue;
    spoken = true;
    say(fmt::format(
        "waybill: rank {} has waited {} ms at its end for ranks that have not come to "
        "theirs; {}\n",
        rank_, patience.bound.count(),
        patience.end_process ? "since it ends by an exception, it ends the job with status 1"
                             : "it goes on waiting"));
    if (patience.end_process) _exit(EXIT_FAILURE);  // the launcher ends the others
  }
  return any != 0;
}

void Session::finish(const Patience& patience, bool leftovers) noexcept {
  if (finished_ || !owner_) return;
  finished_ = true;
  // a short bound is for operations; ranks and libraries get a second at least
  const auto bound = std::max(patience.bound, std::chrono::milliseconds(1000));
  const bool risky = meet({bound, patience.end_process}, leftovers);
  MPI_Comm_free(&end_channel_);
  std::optional<Watchdog> watchdog;
  if (risky) watchdog.emplace(bound, rank_);
  MPI_Finalize();
}

void Session::disown() noexcept {
  finished_ = true;
  if (end_channel_ != MPI_COMM_NULL) MPI_Comm_free(&end_channel_);
}

void Session::end() noexcept { MPI_Finalize(); }

void Session::abort(int status) noexcept {
  static std::atomic<bool> begun{false};
  if (begun.exchange(true)) {  // another thread is at it
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  try {
    std::thread([status] {
      std::this_thread::sleep_for(std::chrono::seconds(5));
      _exit(status);
    }).detach();
  } catch (const std::exception&) {  // no thread: then MPI has to do it
  }
  wait_until_read(STDERR_FILENO);
  // Not under the lock of MPI_THREAD_SERIALIZED: its holder may never give it back.
  MPI_Abort(MPI_COMM_WORLD, status);
  _exit(status);
}

}  // namespace waybill::transport::mpi
