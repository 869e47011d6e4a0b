// SPDX-License-Identifier: BSD-3-Clause
#include "operation/lifecycle.hpp"

#include <fmt/format.h>

namespace waybill::operation {

constinit std::atomic<Life> life{Life::none};
constinit std::atomic<std::uint32_t> epoch{0};
constinit std::atomic<const engine::ThreadActivity*> only_thread{nullptr};

Errc not_running_code() noexcept {
  return life.load(std::memory_order_acquire) == Life::forked ? Errc::forked_child
                                                              : Errc::not_running;
}

Error not_running_error(const char* routine, const SourceLocation& where) {
  const char* reason = "the Runtime was shut down; keep it alive as long as you communicate";
  switch (life.load(std::memory_order_acquire)) {
    case Life::none: reason = "no Runtime exists; construct a waybill::Runtime first"; break;
    case Life::forked:
      reason =
          "this process was made by fork() while Waybill was running, which MPI does not survive; "
          "communicate in the parent";
      break;
    case Life::limited:
    case Life::running: reason = "it belongs to a Runtime that was shut down"; break;
    case Life::closing:
    case Life::stopped: break;
  }
  ErrorDetail detail;
  detail.routine = routine;
  detail.where = where;
  detail.what = where.line() == 0 ? fmt::format("{}: {}", routine, reason)
                                  : fmt::format("{} ({}:{}): {}", routine, where.file_name(),
                                                where.line(), reason);
  return Error(not_running_code(), std::move(detail));
}

}  // namespace waybill::operation
