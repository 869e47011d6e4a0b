// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the environment tells about the launcher, before MPI runs. Needs no MPI.

#include <optional>

namespace bench {

/// The rank that an MPI launcher gave to this process; nullopt without one.
[[nodiscard]] std::optional<int> launched_rank();

}  // namespace bench
