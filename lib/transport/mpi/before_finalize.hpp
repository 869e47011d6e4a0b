// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Something to do if MPI_Finalize is called behind our back.

#include <functional>

namespace waybill::transport::mpi {

/// MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF, with MPI still
/// at work (MPI 3.1 section 8.7.1): the call happens there, on the thread that
/// finalises. It must not throw. Destroying this object takes it back; it may be
/// destroyed inside the call.
class BeforeFinalize {
 public:
  explicit BeforeFinalize(std::function<void()> call);
  BeforeFinalize(const BeforeFinalize&) = delete;
  BeforeFinalize& operator=(const BeforeFinalize&) = delete;
  ~BeforeFinalize();

 private:
  struct Call;
  Call* call_ = nullptr;  // owned by the attribute
  int key_ = 0;
};

}  // namespace waybill::transport::mpi
