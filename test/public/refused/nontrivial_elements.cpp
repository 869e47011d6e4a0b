// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include <string>
#include <vector>

#include "waybill/waybill.hpp"

// The bytes of a string object are not its text.
#if MISTAKE
using Element = std::string;
#else
struct Element {
  char text[16];
};
#endif

waybill::Work exchange(const waybill::Communicator& comm, const std::vector<Element>& elements) {
  return comm.isend(elements, 1);
}
