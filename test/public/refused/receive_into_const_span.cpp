// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include <span>

#include "waybill/waybill.hpp"

#if MISTAKE
using Number = const int;
#else
using Number = int;
#endif

waybill::Work exchange(const waybill::Communicator& comm, std::span<Number> numbers) {
  return comm.irecv(numbers, 1);
}
