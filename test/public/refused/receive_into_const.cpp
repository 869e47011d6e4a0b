// SPDX-License-Identifier: BSD-3-Clause
// refused: no conversion
#include <vector>

#include "waybill/waybill.hpp"

#if MISTAKE
using Numbers = const std::vector<int>;
#else
using Numbers = std::vector<int>;
#endif

void exchange(const waybill::Communicator& comm, Numbers& numbers) { comm.recv(numbers, 1); }
