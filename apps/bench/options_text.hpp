// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The options as text, so that the checks and their messages are ours.

#include <optional>
#include <string>
#include <vector>

#include "settings.hpp"

namespace bench {

struct OptionsText {
  std::vector<std::string> words;  ///< those without an option: TEST, compare TEST ARGUMENT...
  std::optional<std::string> sizes;
  std::optional<std::string> check;
  std::optional<std::string> threads;
  std::optional<std::string> window;
  std::optional<std::string> pending;
  std::optional<std::string> rounds;
  std::optional<std::string> compute;
  std::optional<std::string> cores;
  std::optional<std::string> responsiveness;
  std::optional<std::string> thread_level;
  std::optional<std::string> only;
  std::optional<std::string> launcher;
  std::optional<std::string> jobs;
};

/// Fills in what was given; returns a refusal, one line, or an empty string.
[[nodiscard]] std::string interpret(const OptionsText& text, Settings& settings);

}  // namespace bench
