// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "support/catch.hpp"

namespace test_support {

/// Reads what was written into it, piece by piece as it was written.
class Packets {
 public:
  Packets() {
    // A pipe in packet mode keeps the borders between writes.
    REQUIRE(::pipe2(ends_, O_DIRECT | O_NONBLOCK) == 0);
  }
  Packets(const Packets&) = delete;
  Packets& operator=(const Packets&) = delete;
  ~Packets() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  [[nodiscard]] int descriptor() const { return ends_[1]; }
  [[nodiscard]] std::string next() const {
    char text[4096];
    const ssize_t size = ::read(ends_[0], text, sizeof text);
    return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
  }

 private:
  int ends_[2];
};

}  // namespace test_support
