// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Findings that the programmer knows of and does not want to hear.

#include <optional>
#include <string>

#include "waybill/finding.hpp"

namespace waybill::recorder {

struct Suppression {
  std::string name;                 ///< for people
  std::optional<FindingKind> kind;  ///< none: every kind
  std::string file = "*";           ///< pattern of wildcard.hpp
  std::string function = "*";
};

/// By kind and posting site, not the second one of an overlap. A file pattern
/// without a slash is for the name without folders.
bool covers(const Suppression& suppression, const Finding& finding) noexcept;

}  // namespace waybill::recorder
