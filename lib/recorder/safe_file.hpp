// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A file that a signal handler can write, and that is there as a whole or not at all.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace waybill::recorder {

/// Writes to a temporary file beside the one it shall become, and renames it at the
/// end. No memory, no locks, no stdio after construction, so that all calls are safe
/// in a signal handler (signal-safety(7)); one thread at a time.
class SafeFile {
 public:
  /// The last part of @p path is replaced when a file is finished.
  explicit SafeFile(const std::string& path);
  SafeFile(const SafeFile&) = delete;
  SafeFile& operator=(const SafeFile&) = delete;
  ~SafeFile();

  [[nodiscard]] const char* path() const noexcept { return path_.c_str(); }

  /// Begins; false, and error() says why, if the temporary file cannot be made.
  bool open() noexcept;
  void append(std::string_view text) noexcept;
  void append(char c) noexcept { append(std::string_view(&c, 1)); }
  /// All that was appended is in the file, under its name. Otherwise nothing is left.
  bool finish() noexcept;
  /// Leaves nothing behind. Also from a handler that interrupted the writing thread.
  void abandon() noexcept;

  [[nodiscard]] int error() const noexcept { return error_; }  ///< errno of the first failure

 private:
  void flush() noexcept;
  void fail() noexcept;

  const std::string path_;
  const std::string temporary_;
  std::array<char, 16384> buffer_{};
  std::size_t used_ = 0;
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace waybill::recorder
