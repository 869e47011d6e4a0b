// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Errors that MPI raises on MPI_COMM_WORLD although they are ours.
///
/// MPI 3.1 section 8.3 attaches an error that belongs to no communicator to
/// MPI_COMM_WORLD, and MPICH raises a failed MPI_Test there, where the default is
/// to end the job. While one of these exists, such errors come back as return
/// codes if they were raised by a call of Waybill's, and end the job as before if
/// not. A handler that the application installed is left alone.

#include <mpi.h>

namespace waybill::transport::mpi {

class WorldErrors {
 public:
  WorldErrors();
  WorldErrors(const WorldErrors&) = delete;
  WorldErrors& operator=(const WorldErrors&) = delete;
  ~WorldErrors();  // the default again

  /// Around a call whose errors Waybill takes itself, on this thread.
  class Expected {
   public:
    Expected() noexcept { expected = true; }
    Expected(const Expected&) = delete;
    Expected& operator=(const Expected&) = delete;
    ~Expected() { expected = false; }
  };

 private:
  static void on_error(MPI_Comm* communicator, int* code, ...);

  static constinit thread_local bool expected;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;  // null if not installed
};

}  // namespace waybill::transport::mpi
