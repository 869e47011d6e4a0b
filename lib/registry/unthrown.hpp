// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Findings on their way to a call that throws them, where that was asked for.

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "waybill/finding.hpp"

namespace waybill::registry {

/// Who may throw a finding.
enum class Thrower {
  this_thread,  ///< that made it
  any_thread,   ///< it was made by one that calls nothing of Waybill's
};

/// A finding may be made where nothing may be thrown: in a destructor, in the
/// background thread. It stays here until a call takes it that can throw. Of each
/// thread only the first is kept, and one for any thread: others were reported, and a
/// program should not get an exception in each of its next calls. Any number of
/// threads at once; without memory a finding is not kept.
class Unthrown {
 public:
  void keep(const Finding& finding, Thrower who) noexcept;

  /// That of the calling thread, else that for any.
  [[nodiscard]] std::optional<Finding> take() noexcept;
  /// One, whosever it is.
  [[nodiscard]] std::optional<Finding> take_any() noexcept;
  /// Another error tells of this one.
  void forget(FindingKind kind, const PostingSite& site) noexcept;

 private:
  struct Kept {
    std::size_t thread;
    Finding finding;
  };

  template <class Choice>
  std::optional<Finding> take_if(Choice choice) noexcept;

  std::atomic<std::size_t> count_{0};  // so that mostly nobody locks; written under the mutex
  std::mutex mutex_;
  std::vector<Kept> kept_;
};

}  // namespace waybill::registry
