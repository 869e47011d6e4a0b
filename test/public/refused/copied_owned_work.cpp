// SPDX-License-Identifier: BSD-3-Clause
// refused: deleted function
#include <string>
#include <utility>

#include "waybill/waybill.hpp"

waybill::OwnedWork<std::string> pass_on(waybill::OwnedWork<std::string> work) {
#if MISTAKE
  waybill::OwnedWork<std::string> other = work;
#else
  waybill::OwnedWork<std::string> other = std::move(work);
#endif
  return other;
}
