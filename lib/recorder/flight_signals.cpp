// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/flight_signals.hpp"

#include <signal.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

#include "recorder/flight_recorder.hpp"
#include "recorder/one_writer.hpp"
#include "recorder/signal_chain.hpp"
#include "recorder/ticks.hpp"

namespace waybill::recorder {

namespace {

struct Watched {
  int signal;
  const char* name;
  SignalChain chain;
};

/// Lives as long as the process: somebody may keep our handler in a chain.
constinit std::array<Watched, 7> all_watched{{
    {SIGUSR1, "SIGUSR1", {}},
    {SIGTERM, "SIGTERM", {}},
    {SIGABRT, "SIGABRT", {}},
    {SIGSEGV, "SIGSEGV", {}},
    {SIGBUS, "SIGBUS", {}},
    {SIGFPE, "SIGFPE", {}},
    {SIGILL, "SIGILL", {}},
}};

constexpr std::uint64_t between_faults_ns = 1'000'000'000;
constinit std::atomic<std::uint64_t> last_fault{0};

bool is_worth_a_record(int signal, const siginfo_t* info) noexcept {
  if (!is_fault(signal, info)) return true;
  const std::uint64_t now = monotonic_ns();
  const std::uint64_t last = last_fault.load(std::memory_order_relaxed);
  if (last != 0 && now - last < between_faults_ns) return false;
  last_fault.store(now, std::memory_order_relaxed);
  return true;
}

void hand_on(Watched& watched, siginfo_t* info, void* context) noexcept {
  if (!watched.chain.has_default()) return watched.chain.hand_on(info, context);
  if (watched.signal == SIGUSR1) return;
  const OneWriter last;  // nobody begins a record that the end of the process would cut
  watched.chain.hand_on(info, context);
}

void on_signal(int signal, siginfo_t* info, void* context) noexcept {
  const int before = errno;
  for (Watched& watched : all_watched) {
    if (watched.signal != signal) continue;
    if (is_worth_a_record(signal, info)) write_flight_record(watched.name);
    errno = before;
    hand_on(watched, info, context);
  }
  errno = before;
}

}  // namespace

FlightSignals::FlightSignals() noexcept {
  last_fault.store(0, std::memory_order_relaxed);
  for (Watched& watched : all_watched) watched.chain.install(watched.signal, on_signal);
}

FlightSignals::~FlightSignals() {
  for (Watched& watched : all_watched) watched.chain.restore();
}

}  // namespace waybill::recorder
