// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What waybill-info tells, as data.

#include <string>
#include <vector>

#include "waybill/info.hpp"
#include "waybill/options.hpp"

namespace waybill_info {

/// Where a rank runs.
struct Place {
  int rank = 0;
  std::string host;
  std::string cpu_mask;
  bool bound = false;
};

/// UCX, independent of the MPI in use. Without it version is empty and reason says why.
struct Ucx {
  std::string version;
  std::vector<std::string> transports;
  std::string reason;
};

/// The CUDA header of the build and the driver of this machine.
struct Cuda {
  std::string header;  ///< "13.0" or empty
  std::string driver;  ///< "13.0" or empty
  int devices = 0;
  std::string reason;  ///< why there is no driver or no device, or empty
};

struct Report {
  waybill::Info info;
  bool progress_thread = false;
  std::vector<waybill::Setting> settings;
  std::vector<Place> places;
  Ucx ucx;
  Cuda cuda;
};

Ucx query_ucx();
Cuda query_cuda();

std::string as_text(const Report& report);
std::string as_json(const Report& report);

}  // namespace waybill_info
