// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/library.hpp"

#include <mpi.h>

#include <string_view>

namespace waybill::transport::mpi {

bool is_open_mpi() noexcept {
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = {};
  int length = 0;
  return MPI_Get_library_version(text, &length) == MPI_SUCCESS &&
         std::string_view(text, static_cast<std::size_t>(length)).find("Open MPI") !=
             std::string_view::npos;
}

}  // namespace waybill::transport::mpi
