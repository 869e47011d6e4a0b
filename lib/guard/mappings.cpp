// SPDX-License-Identifier: BSD-3-Clause
#include "guard/mappings.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace waybill::guard {

namespace {

/// struct procmap_query of linux/fs.h since Linux 6.11, which older headers lack.
struct ProcmapQuery {
  std::uint64_t size = sizeof(ProcmapQuery);
  std::uint64_t query_flags = 0;
  std::uint64_t query_addr = 0;
  std::uint64_t vma_start = 0;
  std::uint64_t vma_end = 0;
  std::uint64_t vma_flags = 0;
  std::uint64_t vma_page_size = 0;
  std::uint64_t vma_offset = 0;
  std::uint64_t inode = 0;
  std::uint32_t dev_major = 0;
  std::uint32_t dev_minor = 0;
  std::uint32_t vma_name_size = 0;
  std::uint32_t build_id_size = 0;
  std::uint64_t vma_name_addr = 0;
  std::uint64_t build_id_addr = 0;
};
static_assert(sizeof(ProcmapQuery) == 104);

constexpr unsigned long procmap_query = _IOWR('f', 17, ProcmapQuery);
constexpr std::uint64_t readable = 1;
constexpr std::uint64_t writable = 2;
constexpr std::uint64_t executable = 4;

/// Reads the lines of /proc/self/maps through a small buffer.
class Lines {
 public:
  explicit Lines(int file) noexcept : file_(file) { lseek(file, 0, SEEK_SET); }

  /// One mapping: its bounds, and whether it is "rw-".
  bool next(Pages& bounds, bool& plain) noexcept {
    if (!number('-', bounds.begin) || !number(' ', bounds.end)) return false;
    plain = take() == 'r';
    plain = (take() == 'w') && plain;
    plain = (take() == '-') && plain;
    for (int character = take(); character != '\n'; character = take()) {
      if (character < 0) return false;
    }
    return true;
  }

 private:
  int take() noexcept {
    if (at_ == filled_) {
      filled_ = ::read(file_, buffer_, sizeof buffer_);
      at_ = 0;
      if (filled_ <= 0) {
        filled_ = 0;
        return -1;
      }
    }
    return static_cast<unsigned char>(buffer_[at_++]);
  }

  bool number(char end, std::uintptr_t& value) noexcept {
    value = 0;
    for (int digit = take(); digit != end; digit = take()) {
      if (digit < 0) return false;
      value =
          value * 16 + static_cast<std::uintptr_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return true;
  }

  const int file_;
  ssize_t filled_ = 0;
  ssize_t at_ = 0;
  char buffer_[1024];
};

}  // namespace

Mappings::Mappings() noexcept : file_(open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {}

Mappings::~Mappings() {
  if (file_ >= 0) close(file_);
}

bool Mappings::is_plain(const Pages& pages) noexcept {
  if (file_ < 0) return false;
  return has_query_ ? ask(pages) : read(pages);
}

bool Mappings::ask(const Pages& pages) noexcept {
  static const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (std::uintptr_t at = pages.begin; at < pages.end;) {
    ProcmapQuery query;
    query.query_addr = at;
    if (ioctl(file_, procmap_query, &query) != 0) {
      if (errno == ENOENT) return false;  // nothing is mapped there
      has_query_ = false;
      return read(pages);
    }
    constexpr std::uint64_t all = readable | writable | executable;
    if ((query.vma_flags & all) != (readable | writable)) return false;
    if (query.vma_page_size != page_bytes) return false;
    at = query.vma_end;
  }
  return true;
}

bool Mappings::read(const Pages& pages) noexcept {
  const auto holds = [&](const Pages& known) {
    return known.begin <= pages.begin && pages.end <= known.end;
  };
  if (std::any_of(plain_.begin(), plain_.end(), holds)) return true;
  Lines lines(file_);
  Pages bounds;
  bool plain = false;
  std::uintptr_t at = pages.begin;  // up to here all is well
  while (at < pages.end && lines.next(bounds, plain)) {
    if (bounds.end <= at) continue;
    if (bounds.begin > at || !plain) return false;
    at = bounds.end;
    plain_[next_] = bounds;
  }
  if (at < pages.end) return false;
  next_ = (next_ + 1) % plain_.size();
  return true;
}

}  // namespace waybill::guard
