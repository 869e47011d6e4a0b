// SPDX-License-Identifier: BSD-3-Clause
// refused: ignored result
#include "waybill/waybill.hpp"

void finish(waybill::Work& work) {
#if MISTAKE
  work.test();
#else
  while (!work.test()) {
  }
#endif
}
