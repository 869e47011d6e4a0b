// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which MPI library this is, for the few places where libraries behave differently
/// and the difference cannot be observed.

namespace waybill::transport::mpi {

[[nodiscard]] bool is_open_mpi() noexcept;

}  // namespace waybill::transport::mpi
