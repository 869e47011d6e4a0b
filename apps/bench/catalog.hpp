// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The tests that there are, as plain data.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Along what a test's results are drawn.
enum class Axis { size, bars };

struct Entry {
  std::string_view name;
  std::string_view summary;
  std::size_t ranks;  ///< needed exactly; 0: any number
  Axis axis;
  std::vector<std::size_t> sizes;  ///< by default, in bytes; empty: the test has none
};

[[nodiscard]] const std::vector<Entry>& catalog();
/// nullptr for another word.
[[nodiscard]] const Entry* entry_named(std::string_view name);
/// One line per test, for people.
[[nodiscard]] std::string list_of_tests();
[[nodiscard]] bool fits(const Entry& entry, std::size_t ranks);

}  // namespace bench
