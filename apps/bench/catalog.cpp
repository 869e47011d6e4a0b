// SPDX-License-Identifier: BSD-3-Clause
#include "catalog.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {

namespace {

constexpr std::size_t operator""_KiB(unsigned long long count) { return count << 10; }
constexpr std::size_t operator""_MiB(unsigned long long count) { return count << 20; }

}  // namespace

const std::vector<Entry>& catalog() {
  static const std::vector<Entry> entries{
      {"latency",
       "ping-pong: time of a message one way",
       2,
       Axis::size,
       {0, 8, 64, 512, 4_KiB, 8_KiB, 64_KiB, 256_KiB, 1_MiB, 4_MiB}},
      {"bandwidth",
       "windows of messages one way: bytes per second",
       2,
       Axis::size,
       {4_KiB, 16_KiB, 64_KiB, 256_KiB, 1_MiB, 4_MiB}},
      {"rate", "short messages from several threads: messages per second", 2, Axis::bars, {8}},
      {"overlap",
       "how much of an exchange happens while the program computes",
       2,
       Axis::size,
       {64_KiB, 1_MiB, 16_MiB}},
      {"late-partner",
       "how long a sender is blocked by a receiver that computes",
       2,
       Axis::bars,
       {8_KiB, 64_KiB, 1_MiB}},
      {"idle", "processor time while the program sleeps", 0, Axis::bars, {}},
      {"pending", "ping-pong while many receives are pending", 2, Axis::bars, {8}},
      {"oversubscribed",
       "halo exchange in a ring; meant for more ranks than cores",
       0,
       Axis::bars,
       {64, 8_KiB, 64_KiB}},
      {"registry",
       "what the checks cost: messages to this process itself",
       0,
       Axis::bars,
       {8, 64_KiB}},
  };
  return entries;
}

const Entry* entry_named(std::string_view name) {
  const auto found = std::find_if(catalog().begin(), catalog().end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found == catalog().end() ? nullptr : &*found;
}

std::string list_of_tests() {
  std::string text;
  for (const Entry& entry : catalog()) {
    text += fmt::format(
        "  {:<15} {} ({})\n", entry.name, entry.summary,
        entry.ranks == 0 ? "any number of ranks" : fmt::format("{} ranks", entry.ranks));
  }
  text += fmt::format("  {:<15} {}\n", "all", "every test that fits the number of ranks");
  text += fmt::format("  {:<15} {}\n", "compare TEST",
                      "against raw MPI at MPI_THREAD_SINGLE, in jobs that it starts itself");
  return text;
}

bool fits(const Entry& entry, std::size_t ranks) {
  return entry.ranks == 0 || entry.ranks == ranks;
}

}  // namespace bench
