// SPDX-License-Identifier: BSD-3-Clause
#include "cores.hpp"

#include <unistd.h>

#include "support/catch.hpp"

TEST_CASE("cores: lists, masks and texts") {
  const bench::CoreList cores{0, 1, 2, 8, 63, 64, 1023};
  CHECK(bench::list_of(bench::mask_of(cores)) == cores);
  CHECK(bench::text_of(cores) == "0-2,8,63-64,1023");
  CHECK(bench::text_of({}).empty());
}

TEST_CASE("cores: a thread can be moved and moved back") {
  const bench::CoreList before = bench::allowed_cores();
  REQUIRE_FALSE(before.empty());
  CHECK(bench::allow_cores({before.front()}));
  CHECK(bench::allowed_cores() == bench::CoreList{before.front()});
  CHECK(bench::allow_cores(before));
  CHECK(bench::allowed_cores() == before);
}

TEST_CASE("cores: processor time grows") {
  const double before = bench::process_seconds();
  while (bench::process_seconds() < before + 0.01) {
  }
  CHECK_FALSE(bench::background_thread());
  const auto thread = bench::thread_seconds(getpid());
  if (thread) CHECK(*thread > 0);  // schedstat is a kernel option
}
