// SPDX-License-Identifier: BSD-3-Clause
#include "registry/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "registry/content/watched_contents.hpp"
#include "registry/describe.hpp"
#include "registry/overlap.hpp"
#include "registry/start_sites.hpp"

namespace waybill::registry {

namespace {

/// Where two footprints meet, in bytes from the first one touched by each.
std::string shared_bytes(const Footprint& mine, const Footprint& theirs) {
  const std::uintptr_t at = shared_byte(mine, theirs).value_or(mine.begin);
  const std::uintptr_t in_mine = at - mine.begin;
  const std::uintptr_t in_theirs = at - theirs.begin;
  if (mine.shape != Shape::contiguous || theirs.shape != Shape::contiguous) {
    return fmt::format("byte {} of this buffer is byte {} of the other", in_mine, in_theirs);
  }
  return fmt::format("{} are shared, from byte {} of this buffer and byte {} of the other",
                     describe_bytes(std::min(mine.end, theirs.end) - at), in_mine, in_theirs);
}

/// What becomes of an operation whose handle is gone.
const char* end_without_handle(Kind kind) {
  switch (kind) {
    case Kind::send: return "the message still goes";
    case Kind::receive: return "the message will still be written into the buffer";
    case Kind::collective: break;
  }
  return "it goes on, and the buffers are still used";
}

/// What to look for where an operation does not end.
const char* advice_on_pending(Kind kind) {
  switch (kind) {
    case Kind::send: return "check that the peer posts a receive with this tag";
    case Kind::receive: return "check that the peer sends a message with this tag";
    case Kind::collective: break;
  }
  return "check that every rank of the communicator makes this call, in the same order";
}

std::string nothing_completed(const Record& record) {
  if (record.kind == Kind::collective) return "no collective was completed on this communicator";
  if (record.peer < 0) return "anybody may send";
  return fmt::format("nothing was completed with {} so far", describe_peer(record.peer));
}

const char* describe(Loss how) noexcept {
  switch (how) {
    case Loss::freed: return "freed";
    case Loss::reallocated: return "moved or made smaller by realloc";
    case Loss::unmapped: return "unmapped";
    case Loss::remapped: return "moved or made smaller by mremap";
  }
  return "lost";
}

}  // namespace

Sink::~Sink() = default;

Registry::Registry(int rank, int size, Sink& sink) : rank_(rank), size_(size), sink_(sink) {}

template <class Text>
void Registry::find(FindingKind kind, const Record& record, const PostingSite& other,
                    const char* advice, Text text) noexcept {
  try {
    // The second operation of two; else where this one was started, if that is another line.
    sink_.report(Finding{kind, rank_, record.site,
                         other.line != 0 ? other : start_site(record.started), text(), advice});
  } catch (const std::exception&) {  // no memory
  }
}

void Registry::post_among_others(Record& record) noexcept {
  for (const Record& earlier : index_.insert(record)) overlap(record, earlier);
}

void Registry::overlap(const Record& record, const Record& earlier) noexcept {
  note_shared(record);
  note_shared(earlier);
  if (record.kind == Kind::collective && record.sequence == earlier.sequence) {
    return aliased(record, earlier);
  }
  find(FindingKind::overlapping_buffers, record, earlier.site,
       "wait for the one before posting the other, or give each a buffer of its own", [&] {
         return fmt::format("{} shares memory with {}, which is still in flight: {}",
                            describe(record), describe(earlier),
                            shared_bytes(record.footprint, earlier.footprint));
       });
}

void Registry::aliased(const Record& contribution, const Record& result) noexcept {
  find(FindingKind::overlapping_buffers, contribution, result.site,
       "give in_place for the contribution, or each buffer memory of its own", [&] {
         return fmt::format("{}: its contribution shares memory with its result: {}",
                            describe(contribution),
                            shared_bytes(contribution.footprint, result.footprint));
       });
}

void Registry::dropped(const Record& record, bool complete, bool unwinding) noexcept {
  const char* advice = unwinding ? "let the Work outlive what may throw, or detach() it before"
                                 : "keep the Work and wait() for it, or detach() it";
  find(FindingKind::dropped_handle, record, {}, advice, [&] {
    const char* end = end_without_handle(record.kind);
    return fmt::format("{}: the handle was destroyed {}before anybody waited; {}", describe(record),
                       unwinding ? "by an exception " : "",
                       complete ? "the operation had completed, but nobody had looked" : end);
  });
}

void Registry::never_waited(const Record& record) noexcept {
  find(FindingKind::never_waited, record, {},
       "wait() for every Work before the Runtime ends, or detach() it", [&] {
         return fmt::format("{}: it completed, but nobody waited for it or tested it",
                            describe(record));
       });
}

void Registry::unfinished(const Record& record, bool drained, bool abandoned) noexcept {
  const char* advice =
      drained ? "wait() for every Work before the Runtime ends" : advice_on_pending(record.kind);
  find(FindingKind::unfinished_at_shutdown, record, {}, advice, [&] {
    return fmt::format("{}: {}{}", describe(record),
                       drained ? "it was in flight when shutdown began and completed only while "
                                 "shutdown waited"
                               : "it did not complete within the time that shutdown waits",
                       abandoned ? "; its handle had been dropped or detached" : "");
  });
}

void Registry::truncated(const Record& record, int source, int tag,
                         std::optional<std::size_t> sent_bytes) noexcept {
  find(FindingKind::truncated, record, {}, "make the buffer large enough or send less",
       [&] { return describe_truncation(record, source, tag, sent_bytes); });
}

void Registry::short_message(const Record& record, int source, int tag, std::size_t got) noexcept {
  find(FindingKind::short_message, record, {},
       "ask status().bytes() where messages may be shorter, or receive what is sent", [&] {
         return fmt::format(
             "{}: {}, the buffer holds {}; the rest kept its old contents and nobody asked for "
             "the size",
             describe_briefly(record), describe_message(source, tag, describe_bytes(got)),
             describe_bytes(record.bytes));
       });
}

void Registry::content_changed(const Record& record, const ContentChange& change) noexcept {
  const bool send = record.access == Access::read;
  const char* advice = change.on_stack
                           ? "wait() before writing into the buffer, and before the function that "
                             "has it on its stack returns"
                           : "wait() before writing into the buffer";
  find(send ? FindingKind::send_buffer_modified : FindingKind::recv_buffer_touched, record, {},
       advice, [&] {
         const std::string where =
             change.bytes == 1
                 ? fmt::format("byte {} of its buffer was", change.offset)
                 : fmt::format("one of the bytes {} to {} of its buffer, or more, was",
                               change.offset, change.offset + change.bytes - 1);
         return fmt::format("{}: {} {}", describe(record), where,
                            send ? "changed while it was in flight; the receiver may get either"
                                 : "written while it was in flight; what was written is lost");
       });
}

void Registry::stalled(const Record& record, const Stall& stall) noexcept {
  const std::string advice = std::string(advice_on_pending(record.kind)) + "; it goes on";
  find(FindingKind::stalled, record, {}, advice.c_str(), [&] {
    std::string text = fmt::format("{}: it has been in flight for {}; ", describe(record),
                                   describe_time(stall.age));
    if (stall.last) {
      text += fmt::format("the last that was completed {} is {}, {} ago",
                          record.kind == Kind::collective
                              ? "on this communicator"
                              : fmt::format("with {}", describe_peer(stall.last->peer)),
                          describe(*stall.last), describe_time(stall.last_age));
    } else {
      text += nothing_completed(record);
    }
    return text + fmt::format("; {} other {} in flight", stall.others,
                              stall.others == 1 ? "operation is" : "operations are");
  });
}

void Registry::concurrent(const Record& record, const PostingSite& other) noexcept {
  find(FindingKind::concurrent_collectives, record, other,
       "give each thread a communicator of its own, see dup(), or let one thread post after the "
       "other",
       [&] {
         return fmt::format(
             "{}: another thread was posting a collective on the same communicator at {}; which of "
             "both comes first is left to chance, and may differ between ranks",
             describe(record), describe(other));
       });
}

void Registry::mismatch(const Record& record, const std::string& what) noexcept {
  find(FindingKind::collective_mismatch, record, {},
       "let every rank of the communicator make the same calls in the same order, with the same "
       "root, operator and sizes",
       [&] { return fmt::format("{}: {}", describe_briefly(record), what); });
}

void Registry::outlived_frame(const Record& record) noexcept {
  find(FindingKind::buffer_lifetime, record, {},
       "keep the buffer alive until wait() returns, or move an owned container in", [&] {
         return fmt::format(
             "{}: its buffer lies on the stack, in a function that returned while it was in flight",
             describe(record));
       });
}

void Registry::buffer_gone(const Record& record) noexcept {
  find(FindingKind::buffer_lifetime, record, {},
       "keep the buffer alive until wait() returns, or move an owned container in", [&] {
         return fmt::format(
             "{}: the memory of its buffer is not there any more; it was freed or unmapped while "
             "the operation was in flight",
             describe(record));
       });
}

void Registry::buffer_lost(const Record& record, Loss how) noexcept {
  find(FindingKind::buffer_lifetime, record, {},
       "keep the buffer alive until wait() returns, or move an owned container in", [&] {
         return fmt::format("{}: the memory of its buffer was {} while it was in flight",
                            describe(record), describe(how));
       });
}

}  // namespace waybill::registry
