// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// MPI's own life: started here if nobody has, ended only if started here.

#include <mpi.h>

#include <chrono>
#include <optional>
#include <vector>

#include "waybill/options.hpp"

namespace waybill::transport::mpi {

class Session {
 public:
  /// Joins a running MPI or starts one and asks for @p wanted. Throws Error if
  /// MPI was finalised already.
  explicit Session(ThreadLevel wanted);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  [[nodiscard]] bool owner() const noexcept { return owner_; }
  [[nodiscard]] ThreadLevel level() const noexcept { return level_; }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }

  /// Collective: the lowest rank that says yes, or size() if none does.
  [[nodiscard]] int lowest_rank_where(bool yes) const;
  /// The same for several questions at once, which all ranks ask.
  [[nodiscard]] std::vector<int> lowest_ranks_where(const std::vector<bool>& yes) const;

  /// What to do when other ranks do not come to the end of MPI.
  struct Patience {
    std::chrono::milliseconds bound;
    bool end_process;  ///< else say so and go on waiting: they may be computing
    static Patience speak_after(std::chrono::milliseconds bound) { return {bound, false}; }
    static Patience end_after(std::chrono::milliseconds bound) { return {bound, true}; }
  };

  /// Ends MPI if it was started here, for which every rank must come. After the
  /// bound it says that some did not, or ends this process with status 1. Once all
  /// have come, operations left over on any rank may keep a library from returning
  /// (MPICH, now and then): that is bounded too.
  void finish(const Patience& patience, bool leftovers) noexcept;

  /// Somebody else is ending MPI.
  void disown() noexcept;

  /// Ends MPI at once, whoever started it; collective.
  static void end() noexcept;

  /// Ends the whole job with this status, at once, from any thread; does not return.
  /// If MPI cannot, this process alone ends after a few seconds, which launchers take
  /// as a reason to end the others.
  [[noreturn]] static void abort(int status) noexcept;

 private:
  /// Waits until all ranks are here; true if any has leftovers.
  bool meet(const Patience& patience, bool leftovers) noexcept;

  MPI_Comm end_channel_ = MPI_COMM_NULL;  // of the owner
  bool owner_ = false;
  bool finished_ = false;
  ThreadLevel level_ = ThreadLevel::single;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace waybill::transport::mpi
