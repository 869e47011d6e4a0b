// SPDX-License-Identifier: BSD-3-Clause
// refused: deleted function
#include "waybill/waybill.hpp"

void work() {
  waybill::Runtime runtime;
#if MISTAKE
  waybill::Runtime other = runtime;
#else
  waybill::Runtime& other = runtime;
#endif
  other.shutdown();
}
