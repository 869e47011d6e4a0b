// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/json_text.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "hostile.hpp"
#include "support/catch.hpp"

using waybill::recorder::json_text;

TEST_CASE("another parser reads the same text") {
  for (const auto& [bytes, expected] : test_support::hostile_texts()) {
    const std::string text = json_text(bytes);
    CHECK(text.find('\n') == std::string::npos);
    CHECK(nlohmann::json::parse(text).get<std::string>() == expected);
  }
}

TEST_CASE("every byte alone is valid") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string bytes(1, static_cast<char>(byte));
    const auto read = nlohmann::json::parse(json_text(bytes)).get<std::string>();
    CHECK(read == (byte < 128 ? bytes : "\xEF\xBF\xBD"));
  }
}
