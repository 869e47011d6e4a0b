// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Where findings go.

#include "waybill/finding.hpp"

namespace waybill::registry {

struct Sink {
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink();

  /// Called by any thread, also by several at once, and never with a lock held.
  virtual void report(Finding&& finding) noexcept = 0;
};

}  // namespace waybill::registry
