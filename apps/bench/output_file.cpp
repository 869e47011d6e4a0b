// SPDX-License-Identifier: BSD-3-Clause
#include "output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace bench {

namespace {

std::string failure(const std::string& path) {
  return fmt::format("cannot write {}: {}.", path, std::strerror(errno));
}

}  // namespace

std::string unwritable(const std::string& path) {
  std::error_code ignored;
  const bool was_there = std::filesystem::exists(path, ignored);
  errno = 0;
  const bool opened = std::ofstream(path, std::ios::app).is_open();
  if (!opened) return failure(path);
  if (!was_there) std::filesystem::remove(path, ignored);
  return {};
}

std::string write_file(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return out ? std::string() : failure(path);
}

std::string path_for(const std::string& path, const std::string& test) {
  const std::filesystem::path whole(path);
  std::filesystem::path name = whole.stem();
  name += "-" + test;
  name += whole.extension();
  return (whole.parent_path() / name).string();
}

}  // namespace bench
