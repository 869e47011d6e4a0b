// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/clock_text.hpp"

#include <fmt/format.h>
#include <time.h>

namespace waybill::recorder {

std::string clock_text(std::chrono::system_clock::time_point time) {
  const auto since_epoch = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_epoch);
  const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(since_epoch - seconds);
  const std::time_t whole = seconds.count();
  tm parts{};
  ::gmtime_r(&whole, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     rest.count());
}

}  // namespace waybill::recorder
