// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/safe_json.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <random>

#include "recorder/scratch_folder.hpp"
#include "support/catch.hpp"

using recorder_test::ScratchFolder;
using waybill::recorder::SafeFile;
using waybill::recorder::SafeJson;
using waybill::recorder::utf8_length;

namespace {

nlohmann::json written(const std::function<void(SafeJson&)>& write) {
  const ScratchFolder folder;
  SafeFile file(folder.file("json"));
  REQUIRE(file.open());
  SafeJson json(file);
  write(json);
  REQUIRE(file.finish());
  return folder.json("json");
}

nlohmann::json written_string(const std::string& text) {
  return written([&](SafeJson& json) { json.string(text); });
}

}  // namespace

TEST_CASE("commas stand where they belong, whatever is nested and broken into lines") {
  const auto json = written([](SafeJson& out) {
    out.begin_object();
    out.key("numbers");
    out.begin_array();
    out.number(0);
    out.new_line();
    out.number(UINT64_MAX);
    out.signed_number(INT64_MIN);
    out.signed_number(-1);
    out.end_array();
    out.key("empty");
    out.begin_array();
    out.new_line();
    out.end_array();
    out.new_line();
    out.key("object");
    out.begin_object();
    out.end_object();
    out.key("nothing");
    out.null();
    out.end_object();
  });
  REQUIRE(json["numbers"] == nlohmann::json::array({0U, UINT64_MAX, INT64_MIN, std::int64_t{-1}}));
  REQUIRE(json["empty"].empty());
  REQUIRE(json["object"].empty());
  REQUIRE(json["nothing"].is_null());
  REQUIRE(json.size() == 4);
}

TEST_CASE("any string comes back as it was, if it was UTF-8") {
  const std::string texts[] = {"",
                               "plain",
                               "quote \" and \\ and /",
                               std::string("\0\1\x1F\x7F\n\t", 6),
                               "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x9A\xA2",
                               "C:\\new\\table",
                               std::string(40'000, '"')};
  for (const std::string& text : texts) REQUIRE(written_string(text) == text);
}

TEST_CASE("what is no UTF-8 is replaced, byte by byte") {
  const std::string replacement = "\xEF\xBF\xBD";
  CHECK(written_string("a\xFFz") == "a" + replacement + "z");
  CHECK(written_string("\xC3") == replacement);                               // cut
  CHECK(written_string("\xC0\xAF") == replacement + replacement);             // overlong
  CHECK(written_string("\xED\xA0\x80").get<std::string>().size() == 9);       // surrogate
  CHECK(written_string("\xF4\x90\x80\x80").get<std::string>().size() == 12);  // too large
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 50, ' ');
    for (char& c : text) c = static_cast<char>(random());
    REQUIRE_NOTHROW(written_string(text));
  }
}

TEST_CASE("UTF-8 is told from what is not") {
  CHECK(utf8_length("") == 0);
  CHECK(utf8_length("a") == 1);
  CHECK(utf8_length("\xC3\xA4") == 2);
  CHECK(utf8_length("\xE0\xA0\x80") == 3);
  CHECK(utf8_length("\xE0\x9F\xBF") == 0);
  CHECK(utf8_length("\xF0\x90\x80\x80") == 4);
  CHECK(utf8_length("\xF0\x8F\xBF\xBF") == 0);
  CHECK(utf8_length("\x80") == 0);
}

TEST_CASE("a string of a library that is gone is null, and one that does not end is cut") {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto* const text = static_cast<char*>(memory);
  std::memset(text, 'a', page);
  std::strcpy(text + page - 5, "file");
  char* const last = text + page - 5;
  const auto foreign = [](const char* string) {
    return written([&](SafeJson& json) { json.foreign_string(string); });
  };
  CHECK(foreign(last) == "file");
  CHECK(foreign(nullptr).is_null());
  CHECK(foreign(text) == std::string(1024, 'a'));
  REQUIRE(munmap(text + page, page) == 0);
  CHECK(foreign(last) == "file");
  text[page - 1] = 'x';  // goes on where nothing is
  CHECK(foreign(last).is_null());
  REQUIRE(munmap(memory, page) == 0);
  CHECK(foreign(last).is_null());
  CHECK(foreign(reinterpret_cast<const char*>(8)).is_null());
}
