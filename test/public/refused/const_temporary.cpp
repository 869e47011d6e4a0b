// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include <vector>

#include "waybill/waybill.hpp"

const std::vector<int> numbers();

// A const temporary cannot be moved in, and is gone at the end of the line.
waybill::Work post(const waybill::Communicator& comm, const std::vector<int>& kept) {
#if MISTAKE
  static_cast<void>(kept);
  return comm.isend(numbers(), 1);
#else
  return comm.isend(kept, 1);
#endif
}
