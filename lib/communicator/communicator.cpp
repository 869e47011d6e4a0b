// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/communicator.hpp"

#include "communicator/directory.hpp"
#include "operation/lifecycle.hpp"

namespace waybill {

namespace {

[[noreturn]] void refuse(Errc code, const char* routine, const char* what) {
  ErrorDetail detail;
  detail.routine = routine;
  detail.what = std::string(routine) + ": " + what;
  throw Error(code, std::move(detail));
}

communicator::Directory& directory(const char* routine) {
  communicator::Directory* const current = communicator::Directory::current();
  if (!operation::running() || current == nullptr) throw operation::not_running_error(routine);
  return *current;
}

}  // namespace

CommunicatorState& CommunicatorAccess::get(const Communicator& communicator, const char* routine) {
  CommunicatorState* const state = communicator.state_.get();
  if (state == nullptr) refuse(Errc::empty_handle, routine, "the communicator is empty");
  if (!operation::running() || state->epoch != operation::epoch.load(std::memory_order_relaxed)) {
    throw operation::not_running_error(routine);
  }
  if (state->closed()) {
    refuse(Errc::empty_handle, routine, "the communicator was freed");
  }
  if (!operation::thread_allowed()) {
    refuse(Errc::wrong_thread, routine,
           "MPI was initialised for calls from the main thread only; start it with "
           "MPI_THREAD_MULTIPLE");
  }
  return *state;
}

Communicator Communicator::world() { return Communicator(directory("world").world()); }
Communicator Communicator::self() { return Communicator(directory("self").self()); }

int Communicator::rank() const { return CommunicatorAccess::get(*this, "rank").rank; }
int Communicator::size() const { return CommunicatorAccess::get(*this, "size").size; }
int Communicator::tag_upper_bound() const {
  return CommunicatorAccess::get(*this, "tag_upper_bound").tag_upper_bound;
}
bool Communicator::exact_matching() const {
  return CommunicatorAccess::get(*this, "exact_matching").exact_matching;
}

Communicator Communicator::dup(const CommunicatorOptions& options) const {
  const CommunicatorState& state = CommunicatorAccess::get(*this, "dup");
  return Communicator(state.directory->duplicate(state, options));
}

Communicator Communicator::split(std::optional<int> color, int key,
                                 const CommunicatorOptions& options) const {
  const CommunicatorState& state = CommunicatorAccess::get(*this, "split");
  if (color && *color < 0) {
    refuse(Errc::invalid_option, "split",
           "a color is not negative; give nullopt to stay outside (MPI 3.1 section 6.4.2)");
  }
  return Communicator(state.directory->split(state, color, key, options));
}

void Communicator::free() {
  CommunicatorState& state = CommunicatorAccess::get(*this, "free");
  if (state.permanent) refuse(Errc::invalid_option, "free", "world and self cannot be freed");
  state.directory->release(state);
  state_.reset();
}

}  // namespace waybill
