// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/suppression.hpp"

#include <string_view>

#include "recorder/wildcard.hpp"

namespace waybill::recorder {

bool covers(const Suppression& suppression, const Finding& finding) noexcept {
  if (suppression.kind && *suppression.kind != finding.kind) return false;
  if (!is_like(finding.site.function, suppression.function)) return false;
  std::string_view file = finding.site.file;
  const bool with_folders = suppression.file.find('/') != std::string::npos;
  if (!with_folders) file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  return is_like(file, suppression.file);
}

}  // namespace waybill::recorder
