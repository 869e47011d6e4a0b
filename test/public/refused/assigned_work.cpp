// SPDX-License-Identifier: BSD-3-Clause
// refused: deleted function
#include <utility>

#include "waybill/waybill.hpp"

void replace(waybill::Work& old, waybill::Work& work) {
#if MISTAKE
  old = work;
#else
  old = std::move(work);
#endif
}
