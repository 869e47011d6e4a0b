// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The test framework. Only this header knows whether it is Catch2 2.13 or 3.

#define CATCH_CONFIG_NO_POSIX_SIGNALS  // a peer's SIGTERM is no failure of a test case here

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define TEST_LISTENER_BASE EventListenerBase
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
#define TEST_LISTENER_BASE TestEventListenerBase
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
#endif
