// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Times for people and programs.

#include <chrono>
#include <string>

namespace waybill::recorder {

/// `2026-05-01T12:30:00.000250Z`, in UTC (ISO 8601).
std::string clock_text(
    std::chrono::system_clock::time_point time = std::chrono::system_clock::now());

}  // namespace waybill::recorder
