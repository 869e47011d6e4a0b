// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include <vector>

#include "waybill/waybill.hpp"

void exchange(const waybill::Communicator& comm) {
#if MISTAKE
  comm.recv(std::vector<int>(8), 1);
#else
  std::vector<int> numbers(8);
  comm.recv(numbers, 1);
#endif
}
