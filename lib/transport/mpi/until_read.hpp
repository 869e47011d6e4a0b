// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What a process says before MPI_Abort must reach the user.

#include <sys/ioctl.h>

#include <chrono>
#include <thread>

namespace waybill::transport::mpi {

/// Launchers take what a process writes from a pipe, and MPICH's forgets what is in it
/// when the job is aborted: waits until it is empty, for no longer than a second.
inline void wait_until_read(int descriptor) noexcept {
  for (int i = 0; i < 100; ++i) {
    int left = 0;
    if (::ioctl(descriptor, FIONREAD, &left) != 0 || left == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace waybill::transport::mpi
