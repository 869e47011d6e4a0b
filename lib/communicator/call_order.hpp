// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The order of the collectives of one communicator, which all ranks must share.

#include <mutex>
#include <optional>

#include "waybill/finding.hpp"

namespace waybill::communicator {

/// Numbers the collectives from 1, and lets one thread at a time post: MPI 3.1 section 5.12
/// forbids two, and their order would be left to chance.
///
/// `turns_` is held by the thread that posts. Who finds it held asks for the other's site,
/// which `site_` guards, so that the answer is whole; if the other has left in
/// between there is none, and then both posts were not at once after all.
class CallOrder {
 public:
  CallOrder() = default;
  CallOrder(const CallOrder&) = delete;
  CallOrder& operator=(const CallOrder&) = delete;

  /// The number behind @p number.
  [[nodiscard]] static constexpr int after(int number) noexcept {
    return number == most ? 1 : number + 1;
  }
  /// The number of the last call; 0 if there was none.
  [[nodiscard]] int last() {
    const std::lock_guard lock(turns_);
    return last_;
  }

  /// Held while a collective is handed to the transport.
  class Turn {
   public:
    Turn(CallOrder& order, const PostingSite& site) : order_(order) {
      if (!order.turns_.try_lock()) [[unlikely]] {
        other_ = order.site();
        order.turns_.lock();
      }
      order.set_site(site);
      number_ = after(order.last_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      order_.set_site(std::nullopt);
      order_.turns_.unlock();
    }

    [[nodiscard]] int number() const noexcept { return number_; }
    /// The post that another thread was in the middle of when this one came.
    [[nodiscard]] const std::optional<PostingSite>& other() const noexcept { return other_; }
    /// The transport took it: the next one has the next number.
    void taken() noexcept { order_.last_ = number_; }

   private:
    CallOrder& order_;
    int number_ = 0;
    std::optional<PostingSite> other_{};
  };

 private:
  static constexpr int most = 0x7FFFFFFF;

  std::optional<PostingSite> site() {
    const std::lock_guard lock(site_mutex_);
    return site_;
  }
  void set_site(const std::optional<PostingSite>& site) {
    const std::lock_guard lock(site_mutex_);
    site_ = site;
  }

  std::mutex turns_;
  int last_ = 0;  // guarded by turns_
  std::mutex site_mutex_;
  std::optional<PostingSite> site_{};
};

}  // namespace waybill::communicator
