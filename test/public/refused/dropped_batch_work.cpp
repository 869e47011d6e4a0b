// SPDX-License-Identifier: BSD-3-Clause
// refused: ignored result
#include <utility>
#include <vector>

#include "waybill/waybill.hpp"

void exchange(const waybill::Communicator& comm, std::vector<double>& numbers) {
  waybill::Batch batch;
  batch.isend(numbers, 1);
#if MISTAKE
  comm.post(std::move(batch));
#else
  comm.post(std::move(batch)).wait();
#endif
}
