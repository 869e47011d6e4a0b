// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// One known mistake in a legal plan.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plan.hpp"
#include "verdict.hpp"
#include "waybill/options.hpp"

namespace traffic {

enum class Mistake : std::uint8_t {
  drop,     ///< the handle is destroyed right after the post
  overlap,  ///< a second operation in flight uses the memory of a receive
  omit,     ///< the message is not sent
  forget,   ///< nobody waits
  enlarge,  ///< the message is longer than the buffer
  shorten,  ///< the message is shorter than the buffer
  modify,   ///< a send buffer is written before the send is complete
  touch,    ///< a receive buffer is written before the message is there
};
inline constexpr std::size_t mistakes = 8;

[[nodiscard]] const char* name(Mistake mistake);

struct Mutation {
  Mistake mistake{};
  std::size_t step = 0;
  bool is_send = false;   ///< which end the mistake is made at
  std::size_t other = 0;  ///< overlap: the step of the receive whose memory is used
  int rank = 0;           ///< where it is found
  StepFinding expected{};

  [[nodiscard]] bool hits(std::size_t a_step, bool a_send) const {
    return step == a_step && is_send == a_send;
  }
  /// Its bytes are not what the plan says.
  [[nodiscard]] bool spoils(std::size_t a_step) const {
    if (mistake == Mistake::drop || mistake == Mistake::forget) return false;
    return a_step == step || a_step == other;
  }
};

/// What can be seen at the level and with the MPI library of this process.
struct Visible {
  waybill::Check level = waybill::Check::basic;
  bool open_mpi = false;
};

/// Chosen by the second seed; none if the plan has no room for a mistake that would be seen.
std::optional<Mutation> choose_mutation(const Plan& plan, std::uint64_t seed,
                                        const Visible& visible);

/// The mistake is in the plan, in words.
std::string describe(const Mutation& mutation);

}  // namespace traffic
