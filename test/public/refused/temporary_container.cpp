// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include <vector>

#include "waybill/waybill.hpp"

std::vector<int> numbers();

// The buffer would point into a container that is gone at the end of the line.
waybill::SendBuffer describe(const std::vector<int>& kept) {
#if MISTAKE
  static_cast<void>(kept);
  return waybill::SendBuffer(numbers());
#else
  return waybill::SendBuffer(kept);
#endif
}
