// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include <initializer_list>

#include "waybill/waybill.hpp"

// The elements of a list are gone at the end of the line.
waybill::Work post(const waybill::Communicator& comm, const std::initializer_list<int>& kept) {
#if MISTAKE
  static_cast<void>(kept);
  return comm.isend(std::initializer_list<int>{1, 2}, 1);
#else
  return comm.isend(kept, 1);
#endif
}
