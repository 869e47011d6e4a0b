// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One thread of one rank, and the steps of a plan that it takes.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "communicators.hpp"
#include "dice.hpp"
#include "memory.hpp"
#include "mutation.hpp"
#include "plan.hpp"
#include "taken.hpp"
#include "verdict.hpp"
#include "waybill/work.hpp"

namespace traffic {

/// What the threads of a rank share.
struct Stage {
  const Plan& plan;
  const Mutation* mutation;  ///< or nullptr
  int rank;
  const Communicators& communicators;
  const Memory& memory;
  Taken& taken;
  Verdict& verdict;
};

using Bytes = std::vector<std::uint8_t>;

/// One end of a message on this rank.
struct Part {
  const Message* message = nullptr;
  bool is_send = false;
  Area area;
  waybill::Work work;
  waybill::OwnedWork<Bytes> owned;
  const Message* came = nullptr;  ///< receives: the message that it took
  bool shared = false;            ///< sends: other messages read the same memory

  [[nodiscard]] const Side& side() const { return is_send ? message->send : message->receive; }
  [[nodiscard]] bool is_owned() const { return side().shape == Shape::owned; }
  [[nodiscard]] waybill::Work& handle() { return is_owned() ? owned : work; }
};

/// Posts what does not block, in an order of its own; then does what blocks, which waits only for
/// what others have posted before they block; then ends what it posted. So nothing hangs.
class Player {
 public:
  Player(const Stage& stage, int thread);
  void play() noexcept;

  /// Once all operations are through: what was detached, or dropped by mistake.
  void check_late();
  /// Handles that a mistake has left; they must outlive the Runtime.
  [[nodiscard]] std::vector<waybill::Work> forgotten() { return std::move(forgotten_); }

 private:
  using Action = std::function<void()>;

  void collect();
  void post_all();
  [[nodiscard]] std::vector<Action> blocking_calls();
  [[nodiscard]] std::vector<Action> endings();
  void add_groups(std::vector<Action>& all);

  void post(Part& part);
  void change_area(Part& part) const;
  /// True if nobody will wait for it.
  bool spoil(Part& part);
  void finish(Part& part);
  void finish_group(const std::vector<Part*>& group);
  void call(Part& part);
  void send_and_receive(const Part& sent, Part& received);
  void post_extra(const Extra& extra);
  void finish_extra(const Extra& extra, waybill::Work& work);

  void ended(Part& part);
  void check_status(Part& part, const waybill::Status& status);
  void check_bytes(const Part& part);
  void complain(const Part& part, const std::string& what) const;

  [[nodiscard]] bool mutated(Mistake mistake, const Part& part) const;
  [[nodiscard]] waybill::SourceLocation where(std::size_t step, bool is_send) const;
  [[nodiscard]] waybill::RecvBuffer receive_buffer(const Part& part) const;
  [[nodiscard]] waybill::SendBuffer send_buffer(const Part& part) const;
  [[nodiscard]] int peer(const Part& part) const;

  const Stage& stage_;
  int thread_;
  Dice dice_;
  std::vector<Part> parts_;
  std::vector<Part*> unfinished_, calls_, late_;
  std::vector<std::pair<const Extra*, waybill::Work>> extras_;
  std::vector<waybill::Work> forgotten_;
};

}  // namespace traffic
