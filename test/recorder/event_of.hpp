// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Events all of whose parts follow from one number, so that a mixture of two is seen.

#include "recorder/flight_event.hpp"

namespace recorder_test {

inline constexpr const char* names[] = {"zero", "one", "two", "three", "four", "five", "six"};

inline waybill::recorder::FlightEvent event_of(std::uint64_t number) {
  waybill::recorder::FlightEvent event;
  event.kind = static_cast<waybill::recorder::EventKind>(1 + number % 11);
  event.transfer = static_cast<waybill::recorder::Transfer>(1 + number % 2);
  event.peer = static_cast<std::int32_t>(number % 1000) - 1;
  event.tag = static_cast<std::int32_t>(number % 777) - 1;
  event.line = static_cast<std::uint32_t>(number % 99991);
  event.sequence = number;
  event.bytes = number * 0x9E3779B97F4A7C15U;
  event.communicator = names[number % 7];
  event.file = names[number % 5];
  return event;
}

inline bool is_event_of(const waybill::recorder::FlightEvent& event, std::uint64_t number) {
  const auto right = event_of(number);
  return event.kind == right.kind && event.transfer == right.transfer && event.peer == right.peer &&
         event.tag == right.tag && event.line == right.line && event.sequence == right.sequence &&
         event.bytes == right.bytes && event.communicator == right.communicator &&
         event.file == right.file;
}

}  // namespace recorder_test
