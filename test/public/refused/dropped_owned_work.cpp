// SPDX-License-Identifier: BSD-3-Clause
// refused: ignored result
#include <utility>
#include <vector>

#include "waybill/waybill.hpp"

std::vector<double> exchange(const waybill::Communicator& comm, std::vector<double> numbers) {
#if MISTAKE
  comm.irecv(std::move(numbers), 1);
  return {};
#else
  return comm.irecv(std::move(numbers), 1).take();
#endif
}
