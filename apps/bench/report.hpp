// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// All that a run knows at its end, and its three forms: text, JSON, picture.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "machine.hpp"
#include "result.hpp"

namespace bench {

/// What the first runtime told.
struct MpiFacts {
  std::string library;  ///< its own words, one line
  std::string standard;
  std::string thread_level;  ///< as MPI gave it
  std::size_t ranks = 0;
  std::size_t ranks_on_node = 0;  ///< of rank 0's node
  bool oversubscribed = false;
  std::vector<std::string> binding;  ///< by rank: "host, cores 0-3 (bound)"
};

/// A setting in force. The environment's ones are told apart, since they win over options.
struct SettingInForce {
  std::string name;
  std::string value;
  std::string origin;
};

struct Report {
  Machine machine;
  MpiFacts mpi;
  std::vector<SettingInForce> settings;
  std::vector<std::string> command;
  std::string date;  ///< ISO 8601, UTC
  std::vector<Result> results;
};

/// The library's name and version without the rest of its words.
[[nodiscard]] std::string short_name(const MpiFacts& mpi);
/// The lines above the tables.
[[nodiscard]] std::string head_of(const Report& report);
[[nodiscard]] std::string as_json(const Report& report);
/// Of the results of one test, which are not empty.
[[nodiscard]] std::string as_svg(const Report& report, const std::vector<Result>& results);

}  // namespace bench
