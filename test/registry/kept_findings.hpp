// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A sink that keeps what it gets. For one thread.

#include <utility>
#include <vector>

#include "registry/sink.hpp"

namespace waybill::test {

class KeptFindings final : public registry::Sink {
 public:
  void report(Finding&& finding) noexcept override { findings.push_back(std::move(finding)); }

  std::vector<Finding> findings;
};

}  // namespace waybill::test
