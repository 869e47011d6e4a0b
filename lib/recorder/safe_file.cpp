// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/safe_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace waybill::recorder {

SafeFile::SafeFile(const std::string& path)
    : path_(path), temporary_(path + "." + std::to_string(getpid()) + ".tmp") {}

SafeFile::~SafeFile() { abandon(); }

bool SafeFile::open() noexcept {
  abandon();
  error_ = 0;
  unlink(temporary_.c_str());  // of a process with this number that was killed
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                       0666);  // the umask decides
  if (descriptor_ < 0) fail();
  return descriptor_ >= 0;
}

void SafeFile::append(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t part = std::min(text.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, text.data(), part);
    used_ += part;
    text.remove_prefix(part);
    if (used_ == buffer_.size()) flush();
  }
}

void SafeFile::flush() noexcept {
  const char* rest = buffer_.data();
  std::size_t left = used_;
  used_ = 0;
  while (left > 0 && error_ == 0) {
    const ssize_t written = ::write(descriptor_, rest, left);
    if (written > 0) {
      rest += written;
      left -= static_cast<std::size_t>(written);
    } else if (written == 0 || errno != EINTR) {
      fail();
    }
  }
}

void SafeFile::fail() noexcept {
  if (error_ == 0) error_ = errno == 0 ? EIO : errno;
}

bool SafeFile::finish() noexcept {
  flush();
  if (close(descriptor_) != 0) fail();
  descriptor_ = -1;
  // rename(2) is one step for who looks
  if (error_ == 0 && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  if (error_ != 0) unlink(temporary_.c_str());
  return error_ == 0;
}

void SafeFile::abandon() noexcept {
  used_ = 0;
  if (descriptor_ < 0) return;
  close(descriptor_);
  descriptor_ = -1;
  unlink(temporary_.c_str());
}

}  // namespace waybill::recorder
