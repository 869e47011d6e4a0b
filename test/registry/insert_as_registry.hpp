// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Both ways into the byte index, in the order in which Registry::post tries them.

#include <vector>

#include "registry/byte_index.hpp"

inline std::vector<waybill::registry::Record> insert_as_registry(
    waybill::registry::ByteIndex& index, waybill::registry::Record& record) {
  if (index.insert_if_alone(record)) return {};
  return index.insert(record);
}
