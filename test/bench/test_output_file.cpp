// SPDX-License-Identifier: BSD-3-Clause
#include "output_file.hpp"

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"

TEST_CASE("output file: asking leaves no trace") {
  const std::string path =
      (std::filesystem::temp_directory_path() / "waybill-bench-test-output").string();
  std::filesystem::remove(path);
  CHECK(bench::unwritable(path).empty());
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK(bench::write_file(path, "abc").empty());
  CHECK(bench::unwritable(path).empty());
  CHECK(std::filesystem::file_size(path) == 3);
  std::filesystem::remove(path);
}

TEST_CASE("output file: one line says why not") {
  for (const char* path : {"/nonexistent/x.json", "/"}) {
    CHECK_THAT(bench::unwritable(path), ContainsSubstring(std::string("cannot write ") + path));
  }
  CHECK_THAT(bench::write_file("/dev/full", std::string(100000, 'x')),
             ContainsSubstring("No space left"));
}

TEST_CASE("output file: a name per test") {
  CHECK(bench::path_for("out.svg", "latency") == "out-latency.svg");
  CHECK(bench::path_for("a/b.c/out", "idle") == "a/b.c/out-idle");
}
