// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/directory.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <set>

#include "operation/lifecycle.hpp"

namespace waybill::communicator {

namespace {

std::atomic<Directory*> running_directory{nullptr};

/// Findings keep names beyond their communicator. There are few different ones.
const char* kept_name(const std::string& name) {
  static std::mutex mutex;
  static auto* const names = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return names->insert(name).first->c_str();
}

}  // namespace

Directory::Directory(const operation::Context& common, transport::Channels& channels,
                     std::vector<engine::Door*> doors)
    : common_(common), channels_(channels), doors_(std::move(doors)) {
  world_ = admit(channels.world(), "world", {});
  self_ = admit(channels.self(), "self", {});
  world_->permanent = true;
  self_->permanent = true;
  running_directory.store(this, std::memory_order_release);
}

Directory::~Directory() {
  running_directory.store(nullptr, std::memory_order_release);
  for (const transport::Channel channel : freed_later_) channels_.release(channel);
  for (const auto& state : all_) {
    state->close();
    state->context = nullptr;
    state->directory = nullptr;
    for (const transport::Channel channel : state->channels) {
      common_.transport.forget(channel);
      if (!state->permanent) channels_.release(channel);  // else Channels' own
    }
    if (state->control) channels_.release(*state->control);
  }
}

Directory* Directory::current() noexcept {
  return running_directory.load(std::memory_order_acquire);
}

std::shared_ptr<CommunicatorState> Directory::duplicate(const CommunicatorState& parent,
                                                        const CommunicatorOptions& options) {
  return admit(channels_.duplicate(parent.channels[0]), fmt::format("dup of {}", parent.name),
               options);
}

std::shared_ptr<CommunicatorState> Directory::adopt(transport::Channel foreign,
                                                    const CommunicatorOptions& options) {
  return admit(channels_.duplicate(foreign), "from MPI", options);
}

std::shared_ptr<CommunicatorState> Directory::split(const CommunicatorState& parent,
                                                    std::optional<int> color, int key,
                                                    const CommunicatorOptions& options) {
  const std::optional<transport::Channel> part = channels_.split(parent.channels[0], color, key);
  if (!part) return nullptr;
  return admit(*part, fmt::format("split of {}", parent.name), options);
}

std::shared_ptr<CommunicatorState> Directory::admit(transport::Channel channel,
                                                    const std::string& name,
                                                    const CommunicatorOptions& options) {
  auto state = std::make_shared<CommunicatorState>();
  state->directory = this;
  state->name = kept_name(name.size() > 64 ? "a communicator" : name);
  state->epoch = operation::epoch.load(std::memory_order_relaxed);
  state->channels.push_back(channel);
  state->rank = channels_.rank(channel);
  state->size = channels_.size(channel);
  state->tag_upper_bound = channels_.tag_upper_bound();
  state->exact_matching = options.exact_matching;
  if (options.exact_matching) {
    const std::size_t wanted = channels_.channels_for_exact_matching();
    while (state->channels.size() < wanted) {
      state->channels.push_back(channels_.duplicate(channel));
    }
  }
  if (common_.peer && state->size > 1) state->control = channels_.duplicate(channel);
  operation::Context context = common_;
  state->way.store(context.thorough ? Way::thorough : Way::plain, std::memory_order_relaxed);
  if (!doors_.empty()) {
    for (const transport::NodeRank& at : channels_.on_node(channel)) {
      engine::Door* const door = doors_[static_cast<std::size_t>(at.place)];
      if (door != nullptr) context.neighbours.add(at.rank, *door);
    }
  }
  const std::lock_guard lock(mutex_);
  if (context.recorder != nullptr) {
    recorder::FlightMembers& members = context.recorder->members();
    members.add({state->name, state->rank, state->size, channels_.members(channel)});
  }
  state->context = &contexts_.emplace_back(std::move(context));
  all_.push_back(state);
  return state;
}

bool Directory::all_ended(CommunicatorState& state) noexcept {
  if (state.order.last() == 0) return true;  // as on all ranks
  transport::Transport& transport = common_.transport;
  const unsigned char here = transport.collectives_in_flight(state.channels[0]) == 0 ? 1 : 0;
  unsigned char everywhere = 0;
  const Reduction reduction = Reduce::logical_and;
  transport::Collective call;
  call.call = registry::Call::allreduce;
  call.channel = state.channels[0];
  call.rank = state.rank;
  call.ranks = state.size;
  call.contribution = detail::contiguous(&here, 1);
  call.result = detail::contiguous(&everywhere, 1);
  call.reduction = &reduction;
  transport::Request request;
  const transport::FailurePointer refused(transport.collective(call, request));
  if (refused != nullptr) return false;
  transport::Completion completion;
  transport::Outcome outcome = transport::Outcome::in_flight;
  while (outcome == transport::Outcome::in_flight) {
    outcome = transport.test(request, {registry::Kind::collective, false}, completion);
    common_.engine.assist();
    sched_yield();
  }
  return outcome == transport::Outcome::ended && everywhere != 0;
}

void Directory::release(CommunicatorState& state) noexcept {
  state.close();
  if (state.control) {
    // Calls that are compared still need the channels. The other ranks are here, or on their way.
    while (state.compared.load(std::memory_order_relaxed) != state.order.last()) {
      common_.engine.assist();
    }
    channels_.release(*state.control);
  }
  const bool at_once = all_ended(state);
  for (const transport::Channel channel : state.channels) {
    common_.transport.forget(channel);
    if (at_once) channels_.release(channel);
  }
  const std::lock_guard lock(mutex_);
  if (!at_once) {
    freed_later_.insert(freed_later_.end(), state.channels.begin(), state.channels.end());
  }
  std::erase_if(all_, [&](const auto& kept) { return kept.get() == &state; });
}

}  // namespace waybill::communicator
