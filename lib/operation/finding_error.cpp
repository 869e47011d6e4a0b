// SPDX-License-Identifier: BSD-3-Clause
#include "operation/finding_error.hpp"

#include <fmt/format.h>

#include <utility>

namespace waybill::operation {

Error finding_error(const Finding& finding, const char* routine) {
  ErrorDetail detail;
  detail.routine = routine;
  detail.where =
      SourceLocation::current(finding.site.file, finding.site.function, finding.site.line);
  detail.what = fmt::format("{}: {}: {}; to do: {}", routine, name(finding.kind), finding.what,
                            finding.advice);
  return Error(Errc::finding, std::move(detail));
}

void throw_finding_of(registry::Unthrown& unthrown, const char* routine) {
  if (const std::optional<Finding> finding = unthrown.take()) {
    throw finding_error(*finding, routine);
  }
}

}  // namespace waybill::operation
