// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the readers of the file formats share.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "picture.hpp"

namespace heat {

struct FileCloser {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

/// Throws PictureError if there are no pixels, or more than max_pixels.
void check_size(const std::string& path, std::uint64_t width, std::uint64_t height);

/// "cannot read 'path': why. Give a PNG or PGM picture with --input."
[[nodiscard]] PictureError unreadable(const std::string& path, const std::string& why);
/// "cannot write 'path': why. Give another file with --output."
[[nodiscard]] PictureError unwritable(const std::string& path, const std::string& why);

/// Each reads from the start of `file`; `path` is for messages.
[[nodiscard]] Picture read_pgm(std::FILE* file, const std::string& path);
[[nodiscard]] Picture read_png(std::FILE* file, const std::string& path);
void write_png(std::FILE* file, const std::string& path, const Picture& picture);

}  // namespace heat
