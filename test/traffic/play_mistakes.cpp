// SPDX-License-Identifier: BSD-3-Clause
// What a Player does wrong where the mutation says so.
#include "player.hpp"

namespace traffic {

/// Before the post: another buffer, or a part of it.
void Player::change_area(Part& part) const {
  const Mutation* const mutation = stage_.mutation;
  if (mutation == nullptr || mutation->step != part.message->step) return;
  Area& area = part.area;
  const bool cut = (mutation->mistake == Mistake::enlarge && !part.is_send) ||
                   (mutation->mistake == Mistake::shorten && part.is_send);
  if (cut) {
    const std::size_t element = part.message->element_bytes();
    area.row_bytes = area.row_bytes / 2 / element * element;
  }
  if (mutated(Mistake::overlap, part)) {
    area.first = stage_.memory.receive(stage_.plan.at(mutation->other)).first;
  }
}

/// After the post.
bool Player::spoil(Part& part) {
  if (mutated(Mistake::drop, part)) {
    part.work = waybill::Work();
    part.owned = waybill::OwnedWork<Bytes>();
    late_.push_back(&part);
    return true;
  }
  if (mutated(Mistake::forget, part) || mutated(Mistake::omit, part)) {
    forgotten_.push_back(std::move(part.work));
    return true;
  }
  if (mutated(Mistake::modify, part) || mutated(Mistake::touch, part)) {
    std::uint8_t& byte = part.area.byte(part.area.bytes() / 2);
    byte = static_cast<std::uint8_t>(~byte);
  }
  return false;
}

}  // namespace traffic
