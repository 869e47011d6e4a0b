// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picture.hpp"
#include "support/catch.hpp"

namespace heat_test {

/// The text with which `call` is refused: one line that ends with what to do.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const heat::PictureError& error) {
    const std::string text = error.what();
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.find("Give a") != std::string::npos);
    return text;
  }
  return "not refused";
}

inline bool contains(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace heat_test
