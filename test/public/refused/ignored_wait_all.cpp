// SPDX-License-Identifier: BSD-3-Clause
// refused: ignored result
#include <chrono>
#include <vector>

#include "waybill/waybill.hpp"

void finish(std::vector<waybill::Work>& works) {
#if MISTAKE
  waybill::wait_all_for(works, std::chrono::seconds(1));
#else
  if (!waybill::wait_all_for(works, std::chrono::seconds(1))) waybill::wait_all(works);
#endif
}
