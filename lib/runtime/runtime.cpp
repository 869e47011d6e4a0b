// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/runtime.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <utility>

#include "operation/finding_error.hpp"
#include "operation/lifecycle.hpp"
#include "runtime/exit_status.hpp"
#include "runtime/finding_outlets.hpp"
#include "runtime/runtime_state.hpp"
#include "runtime/strict_exit.hpp"
#include "transport/mpi/facts.hpp"

namespace waybill {

namespace {

using operation::Life;

std::atomic<RuntimeState*> running_state{nullptr};

void say(const std::string& text) {
  const std::string line = "waybill: " + text + "\n";
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
}

/// MPI does not survive fork(): calls of the child throw, destructors do nothing.
void after_fork_in_child() {
  lifetime::forget_after_fork();
  if (operation::running() || operation::life.load(std::memory_order_relaxed) == Life::closing) {
    operation::life.store(Life::forked, std::memory_order_release);
  }
}

void require_none_running() {
  const Life life = operation::life.load(std::memory_order_acquire);
  if (life == Life::none || life == Life::stopped) return;
  if (life == Life::forked) throw operation::not_running_error("Runtime");
  ErrorDetail detail;
  detail.routine = "Runtime";
  detail.what =
      "Runtime: one is running already in this process; pass it on, or shut it down first";
  throw Error(Errc::already_running, std::move(detail));
}

/// A bad value anywhere ends the job everywhere: the lowest rank that has one says so.
void end_if_misconfigured(transport::mpi::Session& session, const std::string& error) {
  const int speaker = session.lowest_rank_where(!error.empty());
  if (speaker == session.size()) return;
  if (speaker == session.rank()) say(error);
  transport::mpi::Session::end();
  std::exit(runtime::misconfigured_status);
}

/// Peer checks are made by all ranks or by none.
std::string why_not_together(const transport::mpi::Session& session, const Options& options) {
  const int with = session.lowest_rank_where(options.peer);
  const int without = session.lowest_rank_where(!options.peer);
  if (with == session.size() || without == session.size() || session.rank() != without) return {};
  return fmt::format(
      "rank {} is to make peer checks and rank {} is not: set WAYBILL_CHECK, or Options::peer, for "
      "all processes",
      with, without);
}

/// What cannot be had is left out, of which the lowest rank that lacks it tells; or
/// the job ends, in strict mode.
void tell_problems(transport::mpi::Session& session, bool strict,
                   const runtime::OutletProblems& problems) {
  const auto is_problem = [](const std::string& text) { return !text.empty(); };
  const auto first = std::find_if(problems.begin(), problems.end(), is_problem);
  end_if_misconfigured(session, strict && first != problems.end() ? *first : "");
  std::vector<bool> here;
  for (const std::string& problem : problems) here.push_back(is_problem(problem));
  const std::vector<int> speakers = session.lowest_ranks_where(here);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (speakers[i] == session.rank()) say(problems[i] + "; the program runs on without");
  }
}

[[noreturn]] void abort_job(RuntimeState& state, const char* because) {
  recorder::write_flight_record("abort");
  state.findings->end();
  say(fmt::format("rank {} ends the job with status {}, because of {}", state.session.rank(),
                  runtime::abort_status, because));
  transport::mpi::Session::abort(runtime::abort_status);
}

void keep_to_throw(registry::Unthrown& unthrown, const Finding& finding) {
  // an exception is on its way already, and handles that it drops are not the mistake
  if (std::uncaught_exceptions() > 0) return;
  unthrown.keep(finding, engine::on_background_thread() ? registry::Thrower::any_thread
                                                        : registry::Thrower::this_thread);
}

/// What the policy asks for after a finding, on the thread that made it.
std::function<void(const Finding&)> afterwards(RuntimeState& state) {
  const Options& options = state.settings.options;
  if (options.strict) runtime::arm_strict_exit();
  return
      [&state, strict = options.strict, policy = options.finding_policy](const Finding& finding) {
        if (strict) runtime::note_strict_finding();
        if (strict && !state.first_finding_recorded.exchange(true, std::memory_order_relaxed)) {
          recorder::write_flight_record("finding");
        }
        if (policy == FindingPolicy::throw_error) keep_to_throw(state.unthrown, finding);
        if (policy == FindingPolicy::abort_job) abort_job(state, "WAYBILL_ON_FINDING=abort");
      };
}

/// What is asked for after stalls were reported.
std::function<void()> after_stall(RuntimeState& state) {
  return [&state, policy = state.settings.options.stall_policy] {
    recorder::write_flight_record("stall");
    if (policy == StallPolicy::abort_job) abort_job(state, "WAYBILL_ON_STALL=abort");
  };
}

engine::EngineOptions engine_options(const Options& options, const Info& info,
                                     const runtime::NodeDoors& doors,
                                     operation::StallWatch* stalls) {
  engine::EngineOptions result;
  result.thread =
      options.progress == Progress::thread && info.thread_level >= ThreadLevel::serialized;
  if (stalls != nullptr) result.chore = [stalls] { stalls->look_if_due(); };
  result.responsiveness = options.responsiveness;
  result.wait = options.wait;
  result.oversubscribed = info.oversubscribed;
  result.spare_core = info.spare_core;
  result.may_have_core = info.cores_allowed > 1 && !info.oversubscribed;
  result.door = doors.own;
  result.all_can_knock = doors.own != nullptr && info.ranks_on_node == info.ranks;
  result.waiters_per_process =
      static_cast<unsigned>(std::max(1, info.cores_allowed / std::max(1, info.ranks_on_cores)));
  return result;
}

Info facts(const transport::mpi::Session& session) {
  Info info = transport::mpi::gather_facts();
  info.thread_level = session.level();
  info.mpi_started_here = session.owner();
  return info;
}

std::unique_ptr<lifetime::LifetimeWatch> lifetime_watch(const Options& options,
                                                        registry::Registry& registry) {
  if (options.check < Check::content) return nullptr;
  return std::make_unique<lifetime::LifetimeWatch>(registry, lifetime::find_preloaded());
}

std::unique_ptr<registry::ContentWatch> content_watch(const Options& options,
                                                      registry::Registry& registry,
                                                      const lifetime::LifetimeWatch* lifetime) {
  if (options.check < Check::content) return nullptr;
  registry::ContentOptions content;
  content.shadow_limit = options.shadow_limit;
  if (options.check >= Check::guard) content.shadow_limit = std::numeric_limits<std::size_t>::max();
  if (options.sample != 0) content.sample = options.sample;
  content.held = lifetime->held();
  return std::make_unique<registry::ContentWatch>(registry, content);
}

std::unique_ptr<guard::Guard> page_guard(const Options& options, int rank,
                                         registry::Sink& findings) {
  if (options.check < Check::guard) return nullptr;
  guard::GuardOptions wanted;
  wanted.say = [rank](const std::string& text) { say(fmt::format("rank {}: {}", rank, text)); };
  return std::make_unique<guard::Guard>(rank, findings, std::move(wanted));
}

std::unique_ptr<operation::StallWatch> stall_watch(const Options& options,
                                                   registry::Registry& registry,
                                                   std::function<void()> stalled) {
  if (options.stall_timeout.count() == 0) return nullptr;
  return std::make_unique<operation::StallWatch>(registry, options.stall_timeout,
                                                 std::move(stalled));
}

std::string level_hint(const RuntimeState& state) {
  const char* level = state.session.level() == ThreadLevel::single ? "SINGLE" : "FUNNELED";
  const char* hint = state.session.owner() ? "set WAYBILL_THREAD_LEVEL=multiple"
                                           : "start MPI with MPI_THREAD_MULTIPLE";
  return fmt::format(
      "MPI gave MPI_THREAD_{}, so there is no background thread: messages move only inside calls "
      "({}, or accept that with WAYBILL_PROGRESS=inline)",
      level, hint);
}

/// Said once per job: what runs differently from what was asked for.
void say_limits(const RuntimeState& state) {
  static bool said = false;
  if (state.session.rank() != 0 || std::exchange(said, true)) return;
  for (const std::string& line : state.settings.unknown_variables) say(line);
  if (state.settings.options.progress != Progress::thread) return;
  if (state.session.level() < ThreadLevel::serialized) {
    say(level_hint(state));
  } else if (state.session.level() == ThreadLevel::serialized && !state.session.owner()) {
    say("MPI was started with MPI_THREAD_SERIALIZED: hold a waybill::MpiLock around your own MPI "
        "calls, or set WAYBILL_PROGRESS=inline");
  }
}

}  // namespace

namespace runtime {

Machinery::Machinery(const Options& options, const transport::mpi::Session& session,
                     const Hooks& hooks)
    : doors(node_doors()),
      info(facts(session)),
      channels(doors.processes),
      registry(session.rank(), session.size(), hooks.findings),
      lifetime(lifetime_watch(options, registry)),
      content(content_watch(options, registry, lifetime.get())),
      guard(page_guard(options, session.rank(), hooks.findings)),
      stalls(stall_watch(options, registry, hooks.stalled)),
      engine(transport, engine_options(options, info, doors, stalls.get())),
      context{.transport = transport,
              .engine = engine,
              .registry = registry,
              .check = options.check >= Check::basic,
              .peer = options.peer,
              .thorough = content != nullptr || stalls != nullptr || hooks.recorder != nullptr ||
                          hooks.unthrown != nullptr,
              .stalls = stalls.get(),
              .content = content.get(),
              .guard = guard.get(),
              .recorder = hooks.recorder,
              .unthrown = hooks.unthrown},
      directory(context, channels, doors.neighbours) {
  info.tag_upper_bound = channels.tag_upper_bound();
  info.wakes_neighbours = doors.own != nullptr && engine.has_thread();
  info.no_wake_reason = engine.has_thread() ? doors.reason : "no background thread";
  info.no_freed_reason = lifetime::blind_reason(lifetime.get());
  info.sees_freed_buffers = info.no_freed_reason.empty();
}

}  // namespace runtime

RuntimeState::RuntimeState(runtime::Settings resolved)
    : settings(std::move(resolved)), session(settings.options.thread_level) {
  end_if_misconfigured(session, settings.environment_error);
  end_if_misconfigured(session, why_not_together(session, settings.options));
  runtime::OutletProblems problems;
  findings = runtime::make_outlets(settings.options, session.rank(), session.size(),
                                   afterwards(*this), problems);
  tell_problems(session, settings.options.strict, problems);
  std::string problem;
  flight.emplace(settings.options, session, problem);
  if (!problem.empty()) say(fmt::format("rank {}: {}", session.rank(), problem));
  const bool throws = settings.options.finding_policy == FindingPolicy::throw_error;
  machinery.emplace(settings.options, session,
                    runtime::Hooks{.findings = flight->noting(*findings),
                                   .unthrown = throws ? &unthrown : nullptr,
                                   .recorder = flight->recorder(),
                                   .stalled = after_stall(*this)});
}

namespace {

/// Shuts down, and throws no finding.
void stop(std::unique_ptr<RuntimeState>& state) {
  if (state == nullptr || !state->machinery) return;
  if (operation::life.load(std::memory_order_acquire) == Life::forked) {
    // MPI, the thread and their locks belong to the parent: leave all as it is
    static_cast<void>(state.release());
    return;
  }
  operation::life.store(Life::closing, std::memory_order_release);
  state->before_finalize.reset();
  const std::chrono::milliseconds bound = state->settings.options.shutdown_timeout;
  const bool drained = runtime::drain(*state->machinery, bound);
  state->findings->end();
  running_state.store(nullptr, std::memory_order_release);
  state->machinery.reset();
  operation::life.store(Life::stopped, std::memory_order_release);
  // While an exception unwinds the stack, the other ranks may wait for this one for ever.
  using Patience = transport::mpi::Session::Patience;
  state->session.finish(
      std::uncaught_exceptions() > 0 ? Patience::end_after(bound) : Patience::speak_after(bound),
      !drained);
  state->flight->end();  // a rank that waits for the others may still be asked what it did
}

}  // namespace

Runtime::Runtime(const Options& options) {
  require_none_running();
  static const int fork_handler = pthread_atfork(nullptr, nullptr, after_fork_in_child);
  static_cast<void>(fork_handler);
  // Communicators made below belong to the new epoch.
  operation::epoch.fetch_add(1, std::memory_order_relaxed);
  state_ = std::make_unique<RuntimeState>(runtime::resolve(options));
  state_->before_finalize.emplace([this] {
    say("the program called MPI_Finalize while a Runtime was alive, which was shut down first; "
        "destroy the Runtime before");
    state_->session.disown();
    stop(state_);
  });
  say_limits(*state_);
  running_state.store(state_.get(), std::memory_order_release);
  const ThreadLevel level = state_->machinery->info.thread_level;
  operation::only_thread.store(level < ThreadLevel::serialized ? &engine::my_activity() : nullptr,
                               std::memory_order_relaxed);
  const bool limited = level != ThreadLevel::multiple;
  operation::life.store(limited ? Life::limited : Life::running, std::memory_order_release);
}

Runtime::~Runtime() {
  try {
    stop(state_);
  } catch (const std::exception& error) {
    say(fmt::format("shutdown failed: {}", error.what()));
  }
}

void Runtime::shutdown() {
  const bool is_first = state_ != nullptr && state_->machinery.has_value();
  stop(state_);
  if (!is_first || state_ == nullptr) return;
  if (const std::optional<Finding> finding = state_->unthrown.take_any()) {
    throw operation::finding_error(*finding, "shutdown");
  }
}

std::string Runtime::write_flight_record(const std::string& reason) {
  if (state_ == nullptr || !state_->flight || state_->flight->recorder() == nullptr) return {};
  const bool written = recorder::write_flight_record(reason.c_str());
  return written ? state_->flight->recorder()->path() : "";
}

bool Runtime::running() noexcept { return operation::running(); }

ThreadLevel Runtime::thread_level() const noexcept {
  return state_ == nullptr ? ThreadLevel::single : state_->session.level();
}

bool Runtime::progress_thread() const noexcept {
  return state_ != nullptr && state_->machinery && state_->machinery->engine.has_thread();
}

std::size_t Runtime::findings() const noexcept {
  return state_ == nullptr ? 0 : state_->findings->count();
}

std::size_t Runtime::findings(FindingKind kind) const noexcept {
  return state_ == nullptr ? 0 : state_->findings->count(kind);
}

std::size_t Runtime::in_flight() const noexcept {
  return static_cast<std::size_t>(engine::sum_activity().pending());
}

const std::vector<Setting>& Runtime::settings() const noexcept {
  static const std::vector<Setting> none;
  return state_ == nullptr ? none : state_->settings.list;
}

Info info() {
  const RuntimeState* const state = running_state.load(std::memory_order_acquire);
  if (state == nullptr || !operation::running()) throw operation::not_running_error("info");
  return state->machinery->info;
}

}  // namespace waybill
