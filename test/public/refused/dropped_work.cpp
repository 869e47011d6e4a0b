// SPDX-License-Identifier: BSD-3-Clause
// refused: ignored result
#include <vector>

#include "waybill/waybill.hpp"

void exchange(const waybill::Communicator& comm, std::vector<double>& numbers) {
#if MISTAKE
  comm.isend(numbers, 1);
#else
  comm.isend(numbers, 1).wait();
#endif
}
