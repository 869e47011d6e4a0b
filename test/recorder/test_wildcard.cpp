// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/wildcard.hpp"

#include <string>

#include "support/catch.hpp"

using waybill::recorder::is_like;

TEST_CASE("without wildcards only the same text fits") {
  CHECK(is_like("", ""));
  CHECK(is_like("halo.cpp", "halo.cpp"));
  CHECK_FALSE(is_like("halo.cpp", "halo.cp"));
  CHECK_FALSE(is_like("halo.cp", "halo.cpp"));
  CHECK_FALSE(is_like("Halo.cpp", "halo.cpp"));
  CHECK_FALSE(is_like("x", ""));
}

TEST_CASE("a question mark stands for one character") {
  CHECK(is_like("halo.cpp", "h?lo.c??"));
  CHECK_FALSE(is_like("halo.cpp", "halo.cpp?"));
  CHECK_FALSE(is_like("", "?"));
  CHECK(is_like("?", "?"));
}

TEST_CASE("a star stands for any number") {
  CHECK(is_like("", "*"));
  CHECK(is_like("halo.cpp", "*"));
  CHECK(is_like("halo.cpp", "halo.cpp*"));
  CHECK(is_like("halo.cpp", "*.cpp"));
  CHECK(is_like("halo.cpp", "h*o*p"));
  CHECK(is_like("aab", "*ab"));
  CHECK(is_like("mississippi", "m*iss*ip*"));
  CHECK_FALSE(is_like("mississippi", "m*iss*ix*"));
  CHECK_FALSE(is_like("halo.cpp", "*.hpp"));
  CHECK(is_like("a*b", "a**b"));
}

TEST_CASE("a hostile pattern does not take for ever") {
  const std::string text(5000, 'a');
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "*a";
  CHECK(is_like(text, pattern));
  CHECK_FALSE(is_like(text, pattern + "b"));  // exponential if done naively
}
