// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// On which cores the threads of this process run during a measurement.

#include <string>

#include "bench.hpp"
#include "cores.hpp"

namespace bench {

/// The three masks of a process. Empty lists leave a thread where it is.
struct Placement {
  CoreList at_start;    ///< of the main thread while a Runtime is made, and so what that one sees
  CoreList main;        ///< of the main thread during the measurement
  CoreList background;  ///< of Waybill's thread during the measurement
  Cores cores = Cores::launched;
  /// The main thread stands for one that runs elsewhere: its core is the background
  /// threads', so it gives way whenever it waits.
  bool away = false;

  [[nodiscard]] std::string name() const;
};

/// Collective. With Cores::own rank @p computing has the first core of its node
/// for its main thread; its background thread and other ranks on the node have
/// the rest, and is away there. With Cores::shared each rank has one core for all its threads.
/// Cores are those that the launcher gave to the ranks of the node together. Where they do not
/// suffice, which is said, or no choice is wanted, nothing is moved.
[[nodiscard]] Placement place(Bench& bench, Cores wanted, int computing);

/// Moves the main thread for one measurement, and back at its end.
class PlacedThread {
 public:
  /// Before a Runtime is made. nullptr: nothing is moved.
  explicit PlacedThread(const Placement* placement);
  PlacedThread(const PlacedThread&) = delete;
  PlacedThread& operator=(const PlacedThread&) = delete;
  ~PlacedThread();
  /// When a Runtime is there.
  void settle() const;

 private:
  const Placement* placement_;
  CoreList before_;
};

}  // namespace bench
