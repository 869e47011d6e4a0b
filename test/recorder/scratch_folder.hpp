// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A scratch folder for what the recorder writes.

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "support/scratch_folder.hpp"

namespace recorder_test {

class ScratchFolder : public test_support::ScratchFolder {
 public:
  [[nodiscard]] std::string path() const {
    return std::filesystem::path(file("any")).parent_path().string();
  }
  [[nodiscard]] std::string text(const std::string& name) const { return read(file(name)); }
  /// Throws what the parser throws.
  [[nodiscard]] nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(text(name));
  }
  [[nodiscard]] std::size_t files() const {
    const std::filesystem::directory_iterator all(path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
};

}  // namespace recorder_test
