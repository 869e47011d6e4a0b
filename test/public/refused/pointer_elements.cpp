// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include <vector>

#include "waybill/waybill.hpp"

// An address means nothing in another process.
#if MISTAKE
using Element = int*;
#else
using Element = int;
#endif

waybill::Work exchange(const waybill::Communicator& comm, const std::vector<Element>& elements) {
  return comm.isend(elements, 1);
}
