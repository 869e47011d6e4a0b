// SPDX-License-Identifier: BSD-3-Clause
#include "registry/content/content_watch.hpp"

#include <utility>

#include "registry/content/pieces.hpp"
#include "registry/content/stack_bounds.hpp"
#include "registry/content/watched_contents.hpp"

namespace waybill::registry {

ContentWatch::ContentWatch(Registry& registry, const ContentOptions& options)
    : registry_(registry), options_(options), memory_(options.memory) {}

void ContentWatch::prepare(Record& record) noexcept {
  if (record.content == 0) record.content = make_watched_content();
}

BufferShape ContentWatch::begin(Record& record, const BufferShape& buffer) noexcept {
  prepare(record);
  if (record.content == 0) return buffer;
  WatchedContent& content = watched_content(record.content);
  content.deliverable = true;
  hold(record);
  const Footprint& footprint = record.footprint;
  const std::size_t touched = touched_bytes(footprint);
  if (record.access == Access::read) {
    static_cast<void>(content.seal.take(footprint, touched, options_.sample, memory_));
    return buffer;
  }
  if (touched > options_.shadow_limit ||
      !content.shadow.take(footprint, buffer, touched, memory_)) {
    return buffer;
  }
  static_cast<void>(content.seal.take(footprint, touched, options_.sample, memory_));
  return content.shadow.instead_of(buffer, footprint);
}

void** ContentWatch::attachment(const Record& record) noexcept {
  return record.content == 0 ? nullptr : &watched_content(record.content).attachment;
}

bool ContentWatch::is_lost(const Record& record) noexcept { return was_lost(record); }

void ContentWatch::check(Record& record, const void* frame, bool told) noexcept {
  if (record.content == 0) return;
  let_go(record);
  WatchedContent& content = watched_content(record.content);
  const bool lost = was_lost(record);
  if (lost) content.deliverable = false;  // others use that memory now
  if (!content.seal.taken()) return;
  told |= lost;
  told |= content.shared_by_post.load(std::memory_order_relaxed) == record.sequence;
  if (frame != nullptr && in_returned_frame(record.footprint.begin, frame)) {
    content.deliverable = false;  // other frames use that memory now
    if (!told) registry_.outlived_frame(record);
  } else if (!told) {
    compare(record, content.seal);
  }
  content.seal.give_back(memory_);
}

void ContentWatch::hold(const Record& record) noexcept {
  if (options_.held == nullptr) return;
  watched_content(record.content).held = true;
  options_.held->hold(record.footprint);
}

void ContentWatch::let_go(const Record& record) noexcept {
  if (options_.held == nullptr) return;
  if (std::exchange(watched_content(record.content).held, false)) {
    options_.held->let_go(record.footprint);
  }
}

void ContentWatch::compare(const Record& record, const Seal& seal) noexcept {
  std::optional<Change> change;
  const bool there =
      CarefulAccess::carefully([&]() noexcept { change = seal.first_change(record.footprint); });
  if (!there) {
    registry_.buffer_gone(record);
  } else if (change) {
    registry_.content_changed(record,
                              {change->offset, change->bytes, on_stack(record.footprint.begin)});
  }
}

void ContentWatch::deliver(Record& record, std::size_t bytes) noexcept {
  if (record.content == 0) return;
  const WatchedContent& content = watched_content(record.content);
  const Shadow& shadow = content.shadow;
  if (!shadow.taken() || !content.deliverable || bytes == 0) return;
  // If the buffer is gone, check() has said so.
  static_cast<void>(
      CarefulAccess::carefully([&]() noexcept { shadow.deliver(record.footprint, bytes); }));
}

void ContentWatch::end(Record& record) noexcept {
  if (record.content == 0) return;
  let_go(record);
  WatchedContent& content = watched_content(record.content);
  content.seal.give_back(memory_);
  content.shadow.give_back(memory_);
}

void ContentWatch::abandon(Record& record) noexcept {
  if (record.content == 0) return;
  let_go(record);
  watched_content(record.content).seal.give_back(memory_);
  record.content = 0;  // the place stays with the transport
}

}  // namespace waybill::registry
