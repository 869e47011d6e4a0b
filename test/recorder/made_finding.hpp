// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Findings as the registry would make them.

#include <cstdint>

#include "waybill/finding.hpp"

namespace test_support {

inline waybill::Finding made_finding(waybill::FindingKind kind, std::uint32_t line,
                                     std::uint32_t other_line = 0) {
  waybill::Finding made;
  made.kind = kind;
  made.rank = 1;
  made.site = {"src/heat.cpp", "exchange", line};
  if (other_line != 0) made.other = {"src/heat.cpp", "exchange", other_line};
  made.what = "what happened";
  made.advice = "what helps";
  return made;
}

}  // namespace test_support
