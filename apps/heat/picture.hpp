// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A gray picture as a field of temperatures, and its way from and to files.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace heat {

/// Row-major brightness from 0 (black) to 1 (white). `bits` is the depth to
/// write: 16 if the file had more than 256 levels, else 8.
struct Picture {
  std::size_t width = 0;
  std::size_t height = 0;
  int bits = 8;
  std::vector<double> cells;
};

/// Larger pictures are refused before memory is asked for.
inline constexpr std::uint64_t max_pixels = std::uint64_t{1} << 26;

/// What is wrong with a file and what to do about it, in one line.
class PictureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a PNG (1 to 16 bit; gray, RGB and palette, with or without alpha, which
/// is ignored) or a PGM (P2 or P5, maxval up to 65535); the file's first bytes
/// decide. Colours become their luminance. Throws PictureError.
[[nodiscard]] Picture read_picture(const std::string& path);

/// Writes a gray PNG of `picture.bits` bits; values outside 0 to 1 are clamped.
/// Throws PictureError.
void write_picture(const std::string& path, const Picture& picture);

/// Throws PictureError unless `path` can be written, so that a long run does not
/// end with a refusal. Leaves what is there as it is, and no new file.
void check_output(const std::string& path, const std::string& input);

}  // namespace heat
