// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>

#include "report.hpp"
#include "waybill/config.hpp"

namespace waybill_info {

namespace {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// A driver function by name; the driver API is C and stable (CUDA driver API,
/// section "Version Management").
template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

void ask_driver(void* library, Cuda& cuda) {
  auto* get_version = find<int(int*)>(library, "cuDriverGetVersion");
  auto* init = find<int(unsigned)>(library, "cuInit");
  auto* count = find<int(int*)>(library, "cuDeviceGetCount");
  int version = 0;
  if (get_version == nullptr || init == nullptr || count == nullptr || get_version(&version) != 0) {
    cuda.reason = "libcuda.so.1 is no CUDA driver";
    return;
  }
  cuda.driver = version_text(version);
  if (const int error = init(0); error != 0) {
    cuda.reason = fmt::format("cuInit failed with error {}", error);
  } else if (count(&cuda.devices) != 0 || cuda.devices == 0) {
    cuda.reason = "the driver sees no device";
  }
}

}  // namespace

Cuda query_cuda() {
  Cuda cuda;
#if WAYBILL_HAVE_CUDA_HEADER
  cuda.header = version_text(WAYBILL_CUDA_HEADER_VERSION);
#endif
  const auto close = [](void* library) { dlclose(library); };
  const std::unique_ptr<void, decltype(close)> library(
      dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), close);
  if (library == nullptr) {
    cuda.reason = "no driver on this machine (libcuda.so.1 not found)";
    return cuda;
  }
  ask_driver(library.get(), cuda);
  return cuda;
}

}  // namespace waybill_info
