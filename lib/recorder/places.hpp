// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Where findings were made and how often: a mistake in a loop is one place.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "waybill/finding.hpp"

namespace waybill::recorder {

/// Kind, file and line, and for an overlap those of both posts; with a copy of the
/// first finding, whose names may be gone with the library that held them.
struct Place {
  struct Line {
    std::string file;
    std::string function;
    std::uint32_t number = 0;
  };

  FindingKind kind{};
  int rank = 0;
  Line site;
  Line other;
  std::string what;
  std::string advice;
  std::size_t count = 0;

  /// The first finding again; its names live as long as this.
  [[nodiscard]] Finding finding() const;
  /// `dropped-handle at heat.cpp:88`
  [[nodiscard]] std::string text() const;
};

/// Any number of threads at once. Memory is bounded: after max_places different
/// places, further ones are counted together.
class Places {
 public:
  static constexpr std::size_t max_places = 4096;

  /// Which place, from 0, and the how manieth there, from 1; place max_places for all
  /// further ones.
  struct Seen {
    std::size_t place;
    std::size_t count;
  };
  using Counts = std::array<std::size_t, finding_kinds>;

  /// Without memory it throws, but has counted.
  Seen add(const Finding& finding);

  [[nodiscard]] std::size_t count() const noexcept;
  [[nodiscard]] std::size_t count(FindingKind kind) const noexcept;
  [[nodiscard]] std::vector<Place> all() const;     ///< in order of their first finding
  [[nodiscard]] Counts elsewhere() const noexcept;  ///< findings beyond max_places, by kind

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<Place> places_;
  Counts counts_{};
  Counts elsewhere_{};
};

}  // namespace waybill::recorder
