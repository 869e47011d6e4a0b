// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <png.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace heat_test {

/// A PNG as libpng writes it. `rows` are its bytes, row after row.
struct PngFile {
  png_uint_32 width = 1;
  png_uint_32 height = 1;
  int bit_depth = 8;
  int color_type = PNG_COLOR_TYPE_GRAY;
  int interlace = PNG_INTERLACE_NONE;
  std::vector<png_color> palette{};
  std::vector<png_byte> rows{};
};

/// libpng ends the test if it does not like the description.
inline void write_png(const std::string& path, PngFile description) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, description.width, description.height, description.bit_depth,
               description.color_type, description.interlace, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!description.palette.empty()) {
    png_set_PLTE(png, info, description.palette.data(),
                 static_cast<int>(description.palette.size()));
  }
  png_write_info(png, info);
  std::vector<png_bytep> pointers;
  const std::size_t row_bytes = description.rows.size() / description.height;
  for (std::size_t row = 0; row < description.height; ++row) {
    pointers.push_back(description.rows.data() + row * row_bytes);
  }
  png_write_image(png, pointers.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

}  // namespace heat_test
