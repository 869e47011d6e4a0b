// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/stack_bounds.hpp"

#include <pthread.h>

#include <cstddef>

namespace waybill::registry {

namespace {

struct Bounds {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
};

Bounds find_bounds() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {1, 1};  // none
  void* low = nullptr;
  std::size_t bytes = 0;
  Bounds bounds{1, 1};
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
    bounds.low = reinterpret_cast<std::uintptr_t>(low);
    bounds.high = bounds.low + bytes;
  }
  pthread_attr_destroy(&attributes);
  return bounds;
}

}  // namespace

bool on_stack(std::uintptr_t address) noexcept {
  thread_local Bounds bounds;
  if (bounds.high == 0) bounds = find_bounds();
  return address >= bounds.low && address < bounds.high;
}

bool in_returned_frame(std::uintptr_t address, const void* frame) noexcept {
  const auto living = reinterpret_cast<std::uintptr_t>(frame);
  return address < living && on_stack(address) && on_stack(living);
}

}  // namespace waybill::registry
