// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What one rank does of a plan.

#include <memory>
#include <vector>

#include "communicators.hpp"
#include "memory.hpp"
#include "mutation.hpp"
#include "plan.hpp"
#include "player.hpp"
#include "taken.hpp"
#include "verdict.hpp"
#include "waybill/runtime.hpp"

namespace traffic {

/// Made before the Runtime and destroyed after it, because a mistake may leave operations in
/// flight.
class Program {
 public:
  Program(const Plan& plan, const Mutation* mutation, int rank)
      : plan_(plan), mutation_(mutation), rank_(rank), memory_(plan, rank), taken_(plan, rank) {}

  /// Collective. Returns when all ranks are through, and nothing is in flight here any more
  /// but what a mistake has left.
  void run(Communicators& communicators, Verdict& verdict, const waybill::Runtime& runtime);

 private:
  const Plan& plan_;
  const Mutation* mutation_;
  int rank_;
  Memory memory_;
  Taken taken_;
  std::unique_ptr<Stage> stage_;
  std::vector<std::unique_ptr<Player>> players_;
};

}  // namespace traffic
