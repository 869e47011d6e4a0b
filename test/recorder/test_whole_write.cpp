// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/whole_write.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

#include "packets.hpp"
#include "support/catch.hpp"

using waybill::recorder::write_whole;

TEST_CASE("a text goes out in one write") {
  const test_support::Packets packets;
  CHECK(write_whole(packets.descriptor(), "two\nlines\n") == 10);
  CHECK(packets.next() == "two\nlines\n");
  CHECK(packets.next().empty());
  CHECK(write_whole(packets.descriptor(), "") == 0);
}

TEST_CASE("a slow reader gets all") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
  const std::string text(1 << 20, 'x');  // more than a pipe holds
  std::string got;
  std::thread reader([&] {
    char piece[4096];
    while (got.size() < text.size()) {
      const ssize_t size = ::read(ends[0], piece, sizeof piece);
      if (size > 0) got.append(piece, static_cast<std::size_t>(size));
      if (size < 0) std::this_thread::yield();
    }
  });
  CHECK(write_whole(ends[1], text) == text.size());
  reader.join();
  CHECK(got == text);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("a reader that never reads is given up on") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
  const std::string text(1 << 20, 'x');
  CHECK(write_whole(ends[1], text) < text.size());
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("what cannot be written is told") {
  CHECK(write_whole(-1, "text") == 0);
  CHECK(errno == EBADF);
  const int full = ::open("/dev/full", O_WRONLY);
  REQUIRE(full >= 0);
  CHECK(write_whole(full, "text") == 0);
  CHECK(errno == ENOSPC);
  ::close(full);
}
