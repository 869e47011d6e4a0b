// SPDX-License-Identifier: BSD-3-Clause
#include "child_process.hpp"

#include <system_error>

#include "support/catch.hpp"

TEST_CASE("child process: output and status, and no shell") {
  const bench::Ending ending = bench::run_child({"echo", "a b", "$HOME"});
  CHECK(ending.status == 0);
  CHECK(ending.output == "a b $HOME\n");
}

TEST_CASE("child process: failures") {
  const bench::Ending ending = bench::run_child({"ls", "/nonexistent"});
  CHECK(ending.status != 0);
  CHECK_THAT(ending.output, ContainsSubstring("/nonexistent"));
  CHECK(bench::run_child({"sh", "-c", "kill -9 $$"}).status == 128 + 9);
  CHECK_THROWS_AS(bench::run_child({"waybill-no-such-program"}), std::system_error);
}
