// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// MPI's names for its thread levels.

#include "waybill/options.hpp"

namespace waybill_apps {

inline const char* thread_level_name(waybill::ThreadLevel level) {
  switch (level) {
    case waybill::ThreadLevel::single: return "MPI_THREAD_SINGLE";
    case waybill::ThreadLevel::funneled: return "MPI_THREAD_FUNNELED";
    case waybill::ThreadLevel::serialized: return "MPI_THREAD_SERIALIZED";
    case waybill::ThreadLevel::multiple: break;
  }
  return "MPI_THREAD_MULTIPLE";
}

}  // namespace waybill_apps
