// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which messages of the wildcard lane this rank has received.

#include <map>
#include <mutex>
#include <utility>

#include "plan.hpp"

namespace traffic {

/// Any thread may call take().
class Taken {
 public:
  Taken(const Plan& plan, int rank) {
    for (const Message& message : plan.messages) {
      if (message.lane != Lane::wildcard || message.destination != rank) continue;
      left_[{message.source, message.tag}] = &message;
    }
  }

  /// The message from this rank with this tag; nullptr if there is none or it was taken before.
  const Message* take(int source, int tag) {
    const std::lock_guard lock(mutex_);
    const auto found = left_.find({source, tag});
    if (found == left_.end()) return nullptr;
    const Message* const message = found->second;
    left_.erase(found);
    return message;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<int, int>, const Message*> left_;
};

}  // namespace traffic
