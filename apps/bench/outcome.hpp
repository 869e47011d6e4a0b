// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace bench {

/// Exit status.
enum class Outcome : int { done = 0, failed = 1, refused = 2 };

}  // namespace bench
