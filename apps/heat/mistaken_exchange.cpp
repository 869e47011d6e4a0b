// SPDX-License-Identifier: BSD-3-Clause
#include "mistaken_exchange.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace heat {

namespace {

/// Where the mistake is made: the first side with a neighbour.
std::optional<Side> first_side(const Neighbours& neighbours) {
  for (const Side side : sides) {
    if (neighbours[index(side)]) return side;
  }
  return std::nullopt;
}

class MistakenExchange : public HaloExchange {
 public:
  MistakenExchange(const waybill::Communicator& world, const Neighbours& neighbours)
      : HaloExchange(world, neighbours), chosen_(first_side(neighbours)) {}

 protected:
  [[nodiscard]] bool chosen(Side side) const { return chosen_ == side; }

 private:
  std::optional<Side> chosen_;
};

class DroppedHandle final : public MistakenExchange {
 public:
  using MistakenExchange::MistakenExchange;

 private:
  waybill::Work send(Field& field, Side side) override {
    if (!chosen(side)) return HaloExchange::send(field, side);
    static_cast<void>(world().isend(field.edge(side), peer(side), tag_of_send(side)));
    return {};
  }
};

class EarlyOverwrite final : public MistakenExchange {
 public:
  using MistakenExchange::MistakenExchange;

 private:
  waybill::Work send(Field& field, Side side) override {
    if (!chosen(side)) return HaloExchange::send(field, side);
    const waybill::StridedView<double> edge = field.edge(side);
    packed_.resize(edge.rows * edge.columns);
    for (std::size_t at = 0; at < packed_.size(); ++at) {
      packed_[at] = edge.first[edge.rows == 1 ? at : at * edge.row_stride];
    }
    waybill::Work work = world().isend(packed_, peer(side), tag_of_send(side));
    std::fill(packed_.begin(), packed_.end(), 1.0);  // too early
    return work;
  }

  std::vector<double> packed_;
};

class MissingWait final : public MistakenExchange {
 public:
  using MistakenExchange::MistakenExchange;

 private:
  waybill::Work send(Field& field, Side side) override {
    if (!chosen(side)) return HaloExchange::send(field, side);
    forgotten_.push_back(world().isend(field.edge(side), peer(side), tag_of_send(side)));
    return {};
  }

  std::vector<waybill::Work> forgotten_;
};

class Overlapping final : public MistakenExchange {
 public:
  using MistakenExchange::MistakenExchange;

 private:
  waybill::Work receive(Field& field, Side side) override {
    if (!chosen(side)) return HaloExchange::receive(field, side);
    return world().irecv(field.edge(side), peer(side), tag_of_receive(side));
  }
};

}  // namespace

std::unique_ptr<HaloExchange> make_exchange(Mistake mistake, const waybill::Communicator& world,
                                            const Neighbours& neighbours) {
  switch (mistake) {
    case Mistake::none: break;
    case Mistake::dropped_handle: return std::make_unique<DroppedHandle>(world, neighbours);
    case Mistake::early_overwrite: return std::make_unique<EarlyOverwrite>(world, neighbours);
    case Mistake::missing_wait: return std::make_unique<MissingWait>(world, neighbours);
    case Mistake::overlapping: return std::make_unique<Overlapping>(world, neighbours);
  }
  return std::make_unique<HaloExchange>(world, neighbours);
}

}  // namespace heat
