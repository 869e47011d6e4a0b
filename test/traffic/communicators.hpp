// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The communicators of the lanes.

#include <array>

#include "plan.hpp"
#include "waybill/communicator.hpp"

namespace traffic {

/// Making and freeing are collective. Made when a plan first needs them.
class Communicators {
 public:
  Communicators();

  /// Those of the plan: kept for later ones, or of its own if the plan wants that.
  void prepare(const Plan& plan);
  /// Frees those that belonged to the plan alone.
  void release(const Plan& plan);

  [[nodiscard]] const waybill::Communicator& of(Lane lane) const {
    return now_[static_cast<std::size_t>(lane)];
  }
  /// For what is not part of the plan.
  [[nodiscard]] const waybill::Communicator& control() const { return control_; }

  /// A rank of the world as the lane counts.
  static int rank_on(Lane lane, int rank) { return lane == Lane::half ? rank / 2 : rank; }
  static int world_rank(Lane lane, int rank, int mine) {
    return lane == Lane::half ? 2 * rank + mine % 2 : rank;
  }

 private:
  [[nodiscard]] waybill::Communicator make(Lane lane) const;

  waybill::Communicator control_;
  std::array<waybill::Communicator, lanes> kept_;
  std::array<waybill::Communicator, lanes> now_;
};

/// Returns once all ranks are here. What any two of them had exchanged before is then through.
void meet(const waybill::Communicator& comm);

}  // namespace traffic
