// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Brings the cells beyond each side of a Field from the neighbour there.

#include <array>

#include "decomposition.hpp"
#include "field.hpp"
#include "waybill/communicator.hpp"
#include "waybill/work.hpp"

namespace heat {

/// Between start() and finish() the edges of the field's `now` may be read but
/// not written, and its halo may be neither.
class HaloExchange {
 public:
  HaloExchange(waybill::Communicator world, const Neighbours& neighbours);
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;
  virtual ~HaloExchange();

  /// Posts four receives and four sends; where there is no neighbour they move
  /// nothing. Does not block.
  void start(Field& field);
  /// Blocks until all eight are complete.
  void finish();

 protected:
  /// The rank at a side, or waybill::null_rank.
  [[nodiscard]] int peer(Side side) const;
  [[nodiscard]] const waybill::Communicator& world() const noexcept { return world_; }

  /// Each posts one operation. `--mistake` overrides them.
  virtual waybill::Work receive(Field& field, Side side);
  virtual waybill::Work send(Field& field, Side side);

  /// A message's tag is the side of the sender that it leaves from.
  static int tag_of_send(Side side) { return static_cast<int>(index(side)); }
  static int tag_of_receive(Side side) { return static_cast<int>(index(opposite(side))); }

 private:
  waybill::Communicator world_;
  Neighbours neighbours_;
  std::array<waybill::Work, 2 * sides.size()> works_;
};

}  // namespace heat
