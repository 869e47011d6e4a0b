// SPDX-License-Identifier: BSD-3-Clause
// refused: ignored result
#include <chrono>

#include "waybill/waybill.hpp"

void finish(waybill::Work& work) {
#if MISTAKE
  work.wait_for(std::chrono::seconds(1));
#else
  if (!work.wait_for(std::chrono::seconds(1))) work.wait();
#endif
}
