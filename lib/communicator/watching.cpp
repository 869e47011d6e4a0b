// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/watching.hpp"

#include "operation/collective_parts.hpp"
#include "operation/completion.hpp"
#include "registry/footprint.hpp"

namespace waybill::communicator {

namespace {

/// Level guard: from here on a touch of the program's is noticed when it happens.
void close_pages(Operation& operation) noexcept {
  guard::Guard* const guard = operation.context->guard;
  if (guard == nullptr) return;
  if (void** const guarded = registry::ContentWatch::attachment(operation.record)) {
    *guarded = guard->protect(operation.record);
  }
}

void forget(Operation& operation) noexcept {
  operation::unwatch(operation);
  if (operation.context->content == nullptr) return;
  operation::unguard(operation);
  operation.context->content->end(operation.record);
}

}  // namespace

registry::Footprint footprint_of(const BufferShape& buffer,
                                 const operation::Context& context) noexcept {
  if (buffer.element == Element::native) return context.transport.native_footprint(buffer);
  const std::size_t row_bytes = buffer.columns * buffer.element_bytes;
  if (buffer.rows == 1) [[likely]]
    return registry::contiguous_footprint(buffer.address, row_bytes);
  return registry::strided_footprint(buffer.address, buffer.rows, row_bytes, buffer.stride_bytes);
}

void watch(Operation& operation) noexcept {
  const operation::Context& context = *operation.context;
  if (context.content != nullptr) registry::ContentWatch::prepare(operation.record);
  context.registry.post(operation.record);
  operation.watched = operation.record.footprint.shape != registry::Shape::unwatched;
}

BufferShape begin_contents(Operation& operation, const BufferShape& buffer) noexcept {
  registry::ContentWatch* const content = operation.context->content;
  if (content == nullptr || !operation.watched) return buffer;
  const BufferShape instead = content->begin(operation.record, buffer);
  // The transport must not meet closed pages.
  const bool reads = operation.record.access == registry::Access::read;
  if (reads || instead.address != buffer.address) close_pages(operation);
  return instead;
}

void take_back(Operation& operation) noexcept {
  forget(operation);
  if (Operation* const companion = operation::companion_of(operation)) forget(*companion);
  operation::release(operation);
}

}  // namespace waybill::communicator
