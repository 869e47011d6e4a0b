// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What every test gets: the processes, the settings, and where results go.

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "catalog.hpp"
#include "progress_line.hpp"
#include "result.hpp"
#include "settings.hpp"
#include "waybill/options.hpp"

namespace bench {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// One way to set Waybill that is measured against raw MPI.
struct Contender {
  std::string name;
  waybill::Options options;
  bool exact_matching = false;
};

/// The same on every rank, but for the results, which rank 0 has. For the main
/// thread. The communicators are the bench's own duplicates and live as long as it.
class Bench {
 public:
  /// Collective. @p forced_check is the level that WAYBILL_CHECK forces, or empty.
  Bench(const Settings& settings, std::string forced_check);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench();

  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  /// The other one of two.
  [[nodiscard]] int partner() const { return 1 - rank_; }
  [[nodiscard]] MPI_Comm world() const { return world_; }
  [[nodiscard]] MPI_Comm self() const { return self_; }
  [[nodiscard]] bool raw_wanted() const { return settings_.only != Only::waybill; }
  [[nodiscard]] bool waybill_wanted() const { return settings_.only != Only::raw; }

  void barrier() const { MPI_Barrier(world_); }
  /// The same, where some give way to other threads while they wait.
  void polite_barrier(bool giving_way) const;
  /// Rank 0's value.
  [[nodiscard]] std::size_t agree(std::size_t value) const;
  /// The largest, on every rank.
  [[nodiscard]] double largest(double value) const;

  [[nodiscard]] std::vector<std::size_t> sizes(const Entry& entry) const;
  /// How long a block of a measurement should take.
  [[nodiscard]] double block_seconds() const { return settings_.quick ? 0.002 : 0.008; }
  /// One per check level asked for; without a choice the default level, or all.
  [[nodiscard]] std::vector<Contender> contenders(bool all_levels = false) const;

  /// Says what is measured now.
  void show(const std::string& what);
  /// A line of its own on rank 0's stdout.
  void note(const std::string& text);
  void add(Result result);
  /// The results since the last call.
  [[nodiscard]] std::vector<Result> take_results();

 private:
  Settings settings_;
  std::string forced_check_;
  MPI_Comm world_ = MPI_COMM_NULL;
  MPI_Comm self_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 1;
  std::optional<ProgressLine> progress_;
  std::vector<Result> results_;
};

}  // namespace bench
