// SPDX-License-Identifier: BSD-3-Clause
// refused: ignored result
#include <cstddef>

#include "waybill/waybill.hpp"

std::size_t look(const waybill::Communicator& comm) {
#if MISTAKE
  comm.probe(waybill::any_source);
  return 0;
#else
  return comm.probe(waybill::any_source).bytes();
#endif
}
