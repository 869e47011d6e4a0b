// SPDX-License-Identifier: BSD-3-Clause
// refused: deleted function
#include <utility>

#include "waybill/waybill.hpp"

waybill::Work pass_on(waybill::Work work) {
#if MISTAKE
  waybill::Work other = work;
#else
  waybill::Work other = std::move(work);
#endif
  return other;
}
