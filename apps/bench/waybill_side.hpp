// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Waybill with the calls that the measured loops need.

#include <cstddef>
#include <span>
#include <utility>

#include "waybill/communicator.hpp"
#include "waybill/wait.hpp"
#include "waybill/work.hpp"

namespace bench {

/// What users of Waybill write, and nothing more. Has the same members as
/// RawSide. Failures throw.
class WaybillSide {
 public:
  using Handle = waybill::Work;

  explicit WaybillSide(waybill::Communicator communicator)
      : communicator_(std::move(communicator)) {}

  [[nodiscard]] Handle isend(std::span<const std::byte> data, int peer, int tag) const {
    return communicator_.isend(data, peer, tag);
  }
  [[nodiscard]] Handle irecv(std::span<std::byte> data, int peer, int tag) const {
    return communicator_.irecv(data, peer, tag);
  }
  void send(std::span<const std::byte> data, int peer, int tag) const {
    communicator_.send(data, peer, tag);
  }
  void recv(std::span<std::byte> data, int peer, int tag) const {
    static_cast<void>(communicator_.recv(data, peer, tag));
  }
  static void wait(Handle& handle) { handle.wait(); }
  static void wait_all(std::span<Handle> handles) { waybill::wait_all(handles); }
  /// Takes back a receive that nothing matched.
  static void cancel(Handle& handle) {
    if (!handle.cancel()) handle.wait();
  }

 private:
  waybill::Communicator communicator_;
};

}  // namespace bench
