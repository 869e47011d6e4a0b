// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include "waybill/waybill.hpp"

#if MISTAKE
using Number = const double;
#else
using Number = double;
#endif

waybill::Work exchange(const waybill::Communicator& comm, Number* matrix) {
  return comm.irecv(waybill::column(matrix, 8, 8, 0), 1);
}
