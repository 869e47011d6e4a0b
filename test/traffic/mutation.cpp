// SPDX-License-Identifier: BSD-3-Clause
#include "mutation.hpp"

#include <algorithm>

#include "dice.hpp"
#include "memory.hpp"

namespace traffic {

namespace {

using waybill::FindingKind;

/// The handle is in the hands of the program, and no other mistake could be seen as well.
bool waits_alone(Way way) { return way == Way::wait || way == Way::test || way == Way::timed; }

bool is_shared(const Plan& plan, const Message& message) {
  return std::any_of(plan.messages.begin(), plan.messages.end(), [&](const Message& other) {
    return other.step != message.step && other.content == message.content;
  });
}

FindingKind kind_of(Mistake mistake) {
  switch (mistake) {
    case Mistake::drop: return FindingKind::dropped_handle;
    case Mistake::overlap: return FindingKind::overlapping_buffers;
    case Mistake::omit: return FindingKind::unfinished_at_shutdown;
    case Mistake::forget: return FindingKind::never_waited;
    case Mistake::enlarge: return FindingKind::truncated;
    case Mistake::shorten: return FindingKind::short_message;
    case Mistake::modify: return FindingKind::send_buffer_modified;
    case Mistake::touch: return FindingKind::recv_buffer_touched;
  }
  return {};
}

/// Larger receives are not watched at level `content`: the default of WAYBILL_SHADOW_LIMIT.
constexpr std::size_t shadow_limit = std::size_t{64} << 10U;

/// Open MPI cuts a small message to the same process off without a word, and writes others
/// beyond the end of the buffer; at level `content` that is memory of Waybill's.
bool open_mpi_harms(const Message& message, waybill::Check level) {
  constexpr std::size_t most_copied = 4040;
  return message.source == message.destination ||
         (level >= waybill::Check::content && message.bytes() > most_copied);
}

bool fits_receive(const Message& message, Mistake mistake, const Visible& visible) {
  const Side& receive = message.receive;
  const bool whole = receive.shape == Shape::alone && receive.room == 0 && message.elements >= 2;
  switch (mistake) {
    case Mistake::drop: return true;
    case Mistake::omit:
      // on the ordered lane the next message would be taken instead
      return message.lane != Lane::ordered && receive.shape != Shape::owned &&
             message.send.way < Way::blocking;
    case Mistake::forget: return receive.shape != Shape::owned;
    case Mistake::enlarge:
      return whole && !(visible.open_mpi && open_mpi_harms(message, visible.level));
    case Mistake::shorten:
      return whole && !receive.asks_size && message.send.shape == Shape::alone &&
             message.send.way < Way::blocking;
    case Mistake::touch:
      return receive.shape != Shape::owned && message.bytes() > 0 &&
             (message.elements + receive.room) * message.element_bytes() <= shadow_limit;
    default: return false;
  }
}

bool fits_send(const Message& message, Mistake mistake) {
  const bool owned = message.send.shape == Shape::owned;
  switch (mistake) {
    case Mistake::drop: return true;
    case Mistake::forget: return !owned;
    case Mistake::modify: return !owned && message.bytes() > 0;
    default: return false;
  }
}

bool fits(const Plan& plan, const Message& message, bool is_send, Mistake mistake,
          const Visible& visible) {
  if (message.lane == Lane::wildcard || is_shared(plan, message)) return false;
  if (!waits_alone(is_send ? message.send.way : message.receive.way)) return false;
  return is_send ? fits_send(message, mistake) : fits_receive(message, mistake, visible);
}

/// A receive of the same thread, whose memory the other operation could use instead of its own.
bool lends_memory(const Message& receive, const Message& message, bool is_send) {
  const Side& side = is_send ? message.send : message.receive;
  const int rank = is_send ? message.source : message.destination;
  return receive.step != message.step && receive.destination == rank &&
         receive.receive.thread == side.thread && receive.lane != Lane::wildcard &&
         receive.receive.shape == Shape::alone && waits_alone(receive.receive.way) &&
         receive.bytes() >= message.bytes() + side.room * message.element_bytes();
}

void add_overlaps(const Plan& plan, std::vector<Mutation>& all) {
  for (const Message& message : plan.messages) {
    for (const bool is_send : {true, false}) {
      const Side& side = is_send ? message.send : message.receive;
      if (message.lane == Lane::wildcard || message.bytes() == 0 || is_shared(plan, message) ||
          side.shape != Shape::alone || !waits_alone(side.way)) {
        continue;
      }
      for (const Message& receive : plan.messages) {
        if (!lends_memory(receive, message, is_send)) continue;
        all.push_back({Mistake::overlap,
                       message.step,
                       is_send,
                       receive.step,
                       is_send ? message.source : message.destination,
                       {FindingKind::overlapping_buffers, is_send, message.step, receive.step}});
      }
    }
  }
}

std::vector<Mutation> possible(const Plan& plan, Mistake mistake, const Visible& visible) {
  std::vector<Mutation> all;
  if (mistake == Mistake::overlap) {
    add_overlaps(plan, all);
    return all;
  }
  const bool needs_content = mistake == Mistake::modify || mistake == Mistake::touch;
  if (needs_content && visible.level < waybill::Check::content) return all;
  for (const Message& message : plan.messages) {
    for (const bool is_send : {true, false}) {
      if (!fits(plan, message, is_send, mistake, visible)) continue;
      all.push_back({mistake,
                     message.step,
                     is_send,
                     0,
                     is_send ? message.source : message.destination,
                     {kind_of(mistake), is_send, message.step, 0}});
    }
  }
  return all;
}

}  // namespace

const char* name(Mistake mistake) {
  constexpr const char* names[] = {"drop",    "overlap", "omit",   "forget",
                                   "enlarge", "shorten", "modify", "touch"};
  return names[static_cast<std::size_t>(mistake)];
}

std::optional<Mutation> choose_mutation(const Plan& plan, std::uint64_t seed,
                                        const Visible& visible) {
  Dice dice(seed);
  const std::size_t first = dice.below(mistakes);
  for (std::size_t i = 0; i < mistakes; ++i) {
    const auto mistake = static_cast<Mistake>((first + i) % mistakes);
    const std::vector<Mutation> all = possible(plan, mistake, visible);
    if (!all.empty()) return all[dice.below(all.size())];
  }
  return std::nullopt;
}

std::string describe(const Mutation& mutation) {
  std::string text = std::string(name(mutation.mistake)) + " at step " +
                     std::to_string(mutation.step) +
                     (mutation.is_send ? " (send on rank " : " (receive on rank ") +
                     std::to_string(mutation.rank) + ")";
  if (mutation.other != 0) text += ", with the memory of step " + std::to_string(mutation.other);
  return text;
}

}  // namespace traffic
