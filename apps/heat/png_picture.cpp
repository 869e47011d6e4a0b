// SPDX-License-Identifier: BSD-3-Clause
#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstring>

#include "picture_file.hpp"

namespace heat {

namespace {

using Problem = std::array<char, 160>;

void note_and_leave(png_structp png, png_const_charp text) {
  Problem& problem = *static_cast<Problem*>(png_get_error_ptr(png));
  std::strncpy(problem.data(), text, problem.size() - 1);
  png_longjmp(png, 1);
}

void ignore_warning(png_structp /*png*/, png_const_charp /*text*/) {}

/// Runs `step`; false if libpng gave up in it, which it does by longjmp: the
/// step may hold nothing that has a destructor.
template <class Step>
[[gnu::noinline]] bool guarded(png_structp png, const Step& step) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;  // NOLINT(cert-err52-cpp): libpng's way
  step();
  return true;
}

struct Reader {
  Reader() {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &problem, note_and_leave, ignore_warning);
    if (png != nullptr) info = png_create_info_struct(png);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }

  Problem problem{};
  png_structp png = nullptr;
  png_infop info = nullptr;
};

struct Writer {
  Writer() {
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &problem, note_and_leave, ignore_warning);
    if (png != nullptr) info = png_create_info_struct(png);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { png_destroy_write_struct(&png, &info); }

  Problem problem{};
  png_structp png = nullptr;
  png_infop info = nullptr;
};

/// Asks libpng for one sample per pixel, 8 bit or 16 bit in this machine's order.
void ask_for_gray(png_structp png, png_infop info) {
  png_set_expand(png);
  png_set_strip_alpha(png);
  if ((png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) != 0) {
    png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT,
                        PNG_RGB_TO_GRAY_DEFAULT);
  }
  if (std::endian::native == std::endian::little && png_get_bit_depth(png, info) == 16) {
    png_set_swap(png);
  }
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

template <class Sample>
void to_cells(const std::vector<png_byte>& raster, Picture& picture) {
  const double white = (1 << picture.bits) - 1;
  picture.cells.resize(picture.width * picture.height);
  for (std::size_t at = 0; at < picture.cells.size(); ++at) {
    Sample sample;
    std::memcpy(&sample, raster.data() + at * sizeof(Sample), sizeof(Sample));
    picture.cells[at] = sample / white;
  }
}

/// PNG's samples are big-endian.
std::vector<png_byte> to_raster(const Picture& picture) {
  const double white = (1 << picture.bits) - 1;
  std::vector<png_byte> raster;
  raster.reserve(picture.cells.size() * static_cast<std::size_t>(picture.bits / 8));
  for (const double cell : picture.cells) {
    const double clamped = cell > 0 ? std::min(cell, 1.0) : 0.0;  // also for not-a-number
    const auto sample = static_cast<unsigned>(std::lround(clamped * white));
    if (picture.bits == 16) raster.push_back(static_cast<png_byte>(sample >> 8));
    raster.push_back(static_cast<png_byte>(sample & 0xff));
  }
  return raster;
}

std::vector<png_bytep> row_pointers(std::vector<png_byte>& raster, std::size_t rows) {
  std::vector<png_bytep> pointers(rows);
  const std::size_t row_bytes = raster.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) pointers[row] = raster.data() + row * row_bytes;
  return pointers;
}

}  // namespace

Picture read_png(std::FILE* file, const std::string& path) {
  Reader reader;
  if (reader.info == nullptr) throw unreadable(path, "libpng does not start");
  png_structp png = reader.png;
  png_infop info = reader.info;
  const auto give_up = [&] {
    return unreadable(path, std::string("the PNG is damaged: ") + reader.problem.data());
  };

  Picture picture;
  std::size_t row_bytes = 0;
  const bool header = guarded(png, [&] {
    png_init_io(png, file);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_read_info(png, info);
    picture.width = png_get_image_width(png, info);
    picture.height = png_get_image_height(png, info);
    picture.bits = png_get_bit_depth(png, info) == 16 ? 16 : 8;
  });
  if (!header) throw give_up();
  check_size(path, picture.width, picture.height);

  const bool asked = guarded(png, [&] {
    ask_for_gray(png, info);
    row_bytes = png_get_rowbytes(png, info);
  });
  if (!asked) throw give_up();
  if (row_bytes != picture.width * static_cast<std::size_t>(picture.bits / 8)) {
    throw unreadable(path, "libpng does not turn it into gray");
  }
  std::vector<png_byte> raster(row_bytes * picture.height);
  std::vector<png_bytep> rows = row_pointers(raster, picture.height);
  const bool whole = guarded(png, [&] {
    png_read_image(png, rows.data());
    png_read_end(png, nullptr);
  });
  if (!whole) throw give_up();
  if (picture.bits == 16) {
    to_cells<std::uint16_t>(raster, picture);
  } else {
    to_cells<std::uint8_t>(raster, picture);
  }
  return picture;
}

void write_png(std::FILE* file, const std::string& path, const Picture& picture) {
  Writer writer;
  if (writer.info == nullptr) throw unwritable(path, "libpng does not start");
  std::vector<png_byte> raster = to_raster(picture);
  std::vector<png_bytep> rows = row_pointers(raster, picture.height);
  png_structp png = writer.png;
  png_infop info = writer.info;
  const bool written = guarded(png, [&] {
    png_init_io(png, file);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width),
                 static_cast<png_uint_32>(picture.height), picture.bits, PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_write_image(png, rows.data());
    png_write_end(png, nullptr);
  });
  if (!written) throw unwritable(path, writer.problem.data());
}

}  // namespace heat
