// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/whole_write.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace waybill::recorder {

namespace {

constexpr int slow_reader_milliseconds = 1000;

}  // namespace

std::size_t write_whole(int descriptor, std::string_view text) noexcept {
  std::size_t taken = 0;
  while (taken < text.size()) {
    const ssize_t written = ::write(descriptor, text.data() + taken, text.size() - taken);
    if (written > 0) {
      taken += static_cast<std::size_t>(written);
    } else if (written < 0 && errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      if (::poll(&ready, 1, slow_reader_milliseconds) <= 0) return taken;
    } else if (written == 0 || errno != EINTR) {
      return taken;
    }
  }
  return taken;
}

}  // namespace waybill::recorder
