// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the user asked for. Needs no MPI.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "waybill/options.hpp"

namespace bench {

/// Which sides are measured.
enum class Only { both, raw, waybill };

/// Where the threads of a computing process run; see docs/performance.md.
enum class Cores {
  launched,  ///< as the launcher placed them
  own,       ///< the computation has a core to itself
  shared     ///< a process has one core, for its background thread too
};

struct Settings {
  std::vector<std::string> tests;   ///< names of the catalog, in order
  std::vector<std::size_t> sizes;   ///< empty: the test's own
  std::vector<std::string> levels;  ///< of check_levels; empty: the test's own
  std::vector<std::size_t> threads{1, 2, 4};
  std::vector<std::size_t> windows{8, 64};
  std::vector<std::size_t> pending{0, 100, 10'000};
  std::size_t rounds = 15;
  bool rounds_given = false;
  bool quick = false;
  std::optional<std::chrono::nanoseconds> compute;  ///< empty: the test's own
  std::optional<Cores> cores;                       ///< empty: the test's own
  waybill::Responsiveness responsiveness = waybill::Responsiveness::yield;
  waybill::ThreadLevel thread_level = waybill::ThreadLevel::multiple;
  Only only = Only::both;
  std::string json_file;
  std::string plot_file;

  // of `compare`
  bool compare = false;
  std::string launcher = "mpiexec -n 2";
  std::size_t jobs = 5;
  std::vector<std::string> job_arguments;
};

inline constexpr std::size_t quick_rounds = 5;
inline constexpr std::size_t idle_rounds = 5;
/// Of compare's jobs without rounds of their own: the jobs are its rounds.
inline constexpr std::size_t most_rounds = 1000;
inline constexpr std::size_t most_threads = 64;
inline constexpr std::size_t most_pending = 30'000;  // every MPI has so many tags
inline constexpr std::size_t most_window = 1024;

}  // namespace bench
