// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include "waybill/waybill.hpp"

// A bare number would be taken for its address by one reader and for a count by the next.
waybill::Work exchange(const waybill::Communicator& comm, int& number) {
#if MISTAKE
  return comm.isend(number, 1);
#else
  return comm.isend(waybill::value(number), 1);
#endif
}
