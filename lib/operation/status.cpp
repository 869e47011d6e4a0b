// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/status.hpp"

#include <memory>
#include <new>

#include "operation/context.hpp"
#include "operation/lifecycle.hpp"
#include "operation/short_message.hpp"

namespace waybill {

void StatusAccess::expect_reader(Status& status, const Operation& operation) noexcept {
  status.unread_ = new (std::nothrow)
      ShortMessage{operation.record,        operation.context,    operation::epoch.load(),
                   operation.result.source, operation.result.tag, operation.result.bytes};
}

void Status::report_unread() noexcept {
  const std::unique_ptr<ShortMessage> message(std::exchange(unread_, nullptr));
  if (!operation::running() || message->epoch != operation::epoch.load()) return;
  message->context->registry.short_message(message->record, message->source, message->tag,
                                           message->bytes);
}

void Status::forget_unread() const noexcept { delete std::exchange(unread_, nullptr); }

Status::Status(const Status& other) noexcept
    : bytes_(other.bytes()),
      element_bytes_(other.element_bytes_),
      source_(other.source_),
      tag_(other.tag_) {}

Status::Status(Status&& other) noexcept
    : bytes_(other.bytes_),
      element_bytes_(other.element_bytes_),
      source_(other.source_),
      tag_(other.tag_),
      unread_(std::exchange(other.unread_, nullptr)) {}

Status& Status::operator=(const Status& other) noexcept {
  if (this != &other) *this = Status(other);
  return *this;
}

Status& Status::operator=(Status&& other) noexcept {
  if (this == &other) return *this;
  if (unread_ != nullptr) report_unread();
  bytes_ = other.bytes_;
  element_bytes_ = other.element_bytes_;
  source_ = other.source_;
  tag_ = other.tag_;
  unread_ = std::exchange(other.unread_, nullptr);
  return *this;
}

}  // namespace waybill
