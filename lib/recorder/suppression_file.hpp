// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Suppressions as people write them, in the manner of valgrind:
///
///     # why this is all right
///     {
///        halo-exchange
///        overlapping-buffers
///        file:halo*.cpp
///        function:exchange
///     }
///
/// A name, a kind of finding or `*`, and where it may have been posted; `file:` and
/// `function:` may each be left out. A line that begins with # is a comment.

#include <string>
#include <string_view>
#include <vector>

#include "recorder/suppression.hpp"

namespace waybill::recorder {

struct SuppressionFile {
  std::vector<Suppression> suppressions;
  std::string error;  ///< empty, or one line; then there are no suppressions
};

/// @p name is that of the file, for errors: `NAME:LINE: what is wrong`.
SuppressionFile parse_suppressions(std::string_view text, const std::string& name);

/// Never waits for the file's content.
SuppressionFile read_suppressions(const std::string& path);

}  // namespace waybill::recorder
