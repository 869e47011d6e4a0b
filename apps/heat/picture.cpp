// SPDX-License-Identifier: BSD-3-Clause
#include "picture.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "picture_file.hpp"

namespace heat {

namespace {

std::string system_text(int error) { return std::generic_category().message(error); }

/// A pipe could block for ever and a directory cannot be parsed.
File open_regular(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) throw unreadable(path, system_text(errno));
  if (S_ISDIR(facts.st_mode)) throw unreadable(path, "it is a directory");
  if (!S_ISREG(facts.st_mode)) throw unreadable(path, "it is not a regular file");
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw unreadable(path, system_text(errno));
  return file;
}

}  // namespace

PictureError unreadable(const std::string& path, const std::string& why) {
  return PictureError(
      fmt::format("cannot read '{}': {}. Give a PNG or PGM picture with --input.", path, why));
}

PictureError unwritable(const std::string& path, const std::string& why) {
  return PictureError(
      fmt::format("cannot write '{}': {}. Give another file with --output.", path, why));
}

void check_size(const std::string& path, std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0) throw unreadable(path, "the picture is empty");
  if (width > max_pixels || height > max_pixels / width) {
    throw unreadable(path, fmt::format("{} x {} pixels are more than the {} that fit", width,
                                       height, max_pixels));
  }
}

Picture read_picture(const std::string& path) {
  const File file = open_regular(path);
  std::array<unsigned char, 2> magic{};
  const std::size_t found = std::fread(magic.data(), 1, magic.size(), file.get());
  if (std::ferror(file.get()) != 0) throw unreadable(path, "reading fails");
  std::rewind(file.get());
  if (found == magic.size() && magic[0] == 0x89 && magic[1] == 'P') {
    return read_png(file.get(), path);
  }
  if (found == magic.size() && magic[0] == 'P' && (magic[1] == '2' || magic[1] == '5')) {
    return read_pgm(file.get(), path);
  }
  throw unreadable(path, "it is neither a PNG nor a PGM (P2 or P5) file");
}

void write_picture(const std::string& path, const Picture& picture) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) throw unwritable(path, system_text(errno));
  write_png(file.get(), path, picture);
  if (std::fclose(file.release()) != 0) throw unwritable(path, system_text(errno));
}

void check_output(const std::string& path, const std::string& input) {
  struct stat facts {};
  const bool exists = stat(path.c_str(), &facts) == 0;
  if (exists && S_ISDIR(facts.st_mode)) throw unwritable(path, "it is a directory");
  if (exists && !S_ISREG(facts.st_mode) && !S_ISCHR(facts.st_mode)) {
    throw unwritable(path, "it is not a regular file");
  }
  std::error_code ignored;
  if (exists && std::filesystem::equivalent(path, input, ignored)) {
    throw unwritable(path, "it is the input picture");
  }
  const bool created = !exists && lstat(path.c_str(), &facts) != 0;  // not through a dangling link
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (descriptor < 0) throw unwritable(path, system_text(errno));
  close(descriptor);
  if (created) unlink(path.c_str());
}

}  // namespace heat
