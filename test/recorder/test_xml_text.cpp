// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/xml_text.hpp"

#include <string>

#include "hostile.hpp"
#include "support/catch.hpp"

using waybill::recorder::xml_text;

// That a parser of XML reads it is tested in runtime/outlets.

TEST_CASE("markup is escaped, line breaks survive in attributes") {
  CHECK(xml_text("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;");
  CHECK(xml_text("a\nb\tc\rd") == "a&#10;b&#9;c&#13;d");
  CHECK(xml_text("gr\xC3\xBCn") == "gr\xC3\xBCn");
}

TEST_CASE("what XML cannot hold is replaced") {
  CHECK(xml_text(std::string("\0\1\x1F", 3)) == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(xml_text("\xEF\xBF\xBE") == "\xEF\xBF\xBD");  // U+FFFE
  CHECK(xml_text("\xFC") == "\xEF\xBF\xBD");
}

TEST_CASE("nothing comes out that ends an element or attribute") {
  for (const auto& [bytes, expected] : test_support::hostile_texts()) {
    const std::string text = xml_text(bytes);
    CHECK(text.find_first_of("<>\"\n") == std::string::npos);
  }
}
