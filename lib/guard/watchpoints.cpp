// SPDX-License-Identifier: BSD-3-Clause
#include "guard/watchpoints.hpp"

#include <dirent.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <vector>

namespace waybill::guard {

namespace {

constexpr int trap_perf = 6;  // TRAP_PERF of Linux 5.13, which older headers lack
constexpr std::uint64_t our_mark = std::uint64_t{0x5742} << 48;
constexpr std::uint64_t mark_mask = std::uint64_t{0xffff} << 48;

int open_watchpoint(std::uintptr_t begin, std::uintptr_t bytes, std::uint64_t serial,
                    pid_t thread) noexcept {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_BREAKPOINT;
  // Not reads: wide instructions, as in memcmp(), read bytes that they leave out.
  event.bp_type = HW_BREAKPOINT_W;
  event.bp_addr = begin;
  event.bp_len = bytes;
  event.sample_period = 1;
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  event.inherit = 1;
  event.inherit_thread = 1;  // but not in processes
  event.remove_on_exec = 1;  // sigtrap demands it
  event.sigtrap = 1;
  event.sig_data = our_mark | serial;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &event, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::vector<pid_t> threads() {
  std::vector<pid_t> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/task"), &closedir);
  while (folder != nullptr) {
    const dirent* const entry = readdir(folder.get());  // a stream of our own
    if (entry == nullptr) break;
    if (const int thread = std::atoi(entry->d_name); thread > 0) found.push_back(thread);
  }
  return found;
}

/// The watchpoints of one edge while they are made.
struct Arming {
  Pages bytes;
  std::uint64_t serial;
  std::vector<int> descriptors = {};

  /// In one thread. Returns an errno; none for a thread that has ended.
  int in(pid_t thread) {
    for (std::uintptr_t at = bytes.begin; at < bytes.end;) {
      const std::uintptr_t piece = Watchpoints::piece_bytes({at, bytes.end});
      const int descriptor = open_watchpoint(at, piece, serial, thread);
      if (descriptor < 0) return errno == ESRCH ? 0 : errno;
      descriptors.push_back(descriptor);
      at += piece;
    }
    return 0;
  }

  int in_all_threads() {
    const std::vector<pid_t> all = threads();
    for (const pid_t thread : all) {
      if (const int error = in(thread)) return error;
    }
    // Started meanwhile, perhaps by a thread that had none yet. Who has inherited
    // them has no room for them twice: any refusal will do.
    for (const pid_t thread : threads()) {
      if (std::find(all.begin(), all.end(), thread) == all.end()) static_cast<void>(in(thread));
    }
    return descriptors.empty() ? ESRCH : 0;
  }
};

/// What the kernel says when it will say so always.
bool is_for_good(int error) noexcept {
  return error == EACCES || error == EPERM || error == ENOSYS || error == EINVAL ||
         error == EOPNOTSUPP || error == E2BIG || error == ENODEV || error == ENOENT;
}

void keep(WatchedEdge& edge, const std::vector<int>& descriptors) {
  edge.descriptors = new int[descriptors.size()];
  std::copy(descriptors.begin(), descriptors.end(), edge.descriptors);
  edge.descriptor_count = descriptors.size();
}

}  // namespace

WatchedEdge::~WatchedEdge() {
  for (std::size_t i = 0; i < descriptor_count; ++i) close(descriptors[i]);
  delete[] descriptors;
}

void WatchedEdge::disable() const noexcept {
  for (std::size_t i = 0; i < descriptor_count; ++i) {
    ioctl(descriptors[i], PERF_EVENT_IOC_DISABLE, 0);
  }
}

std::uintptr_t Watchpoints::piece_bytes(const Pages& rest) noexcept {
  std::uintptr_t bytes = 8;
  while (rest.begin % bytes != 0 || rest.begin + bytes > rest.end) bytes /= 2;
  return bytes;
}

int Watchpoints::registers_for(const Pages& bytes) noexcept {
  int pieces = 0;
  for (std::uintptr_t at = bytes.begin; at < bytes.end;
       at += Watchpoints::piece_bytes({at, bytes.end}))
    ++pieces;
  return pieces;
}

std::optional<std::uint64_t> Watchpoints::serial_of(const siginfo_t* info) noexcept {
  if (info->si_code != trap_perf) return std::nullopt;
  // si_perf_data follows si_addr (siginfo.h of Linux 5.13), and may be misplaced in no other case
  std::uint64_t data = 0;
  std::memcpy(&data,
              reinterpret_cast<const char*>(info) + offsetof(siginfo_t, si_addr) + sizeof(void*),
              sizeof data);
  if ((data & mark_mask) != our_mark) return std::nullopt;
  return data & ~mark_mask;
}

WatchedEdge* Watchpoints::arm(const Pages& bytes, std::uint64_t serial) noexcept {
  if (bytes.end - bytes.begin > WatchedEdge::max_bytes || refusal() != 0) return nullptr;
  const int needed = registers_for(bytes);
  if (free_.fetch_sub(needed, std::memory_order_relaxed) < needed) {
    free_.fetch_add(needed, std::memory_order_relaxed);
    return nullptr;
  }
  Arming arming{bytes, serial};
  int error = ENOMEM;
  try {
    auto edge = std::make_unique<WatchedEdge>();
    edge->begin = bytes.begin;
    edge->end = bytes.end;
    edge->registers = needed;
    std::memcpy(edge->before.data(), reinterpret_cast<const void*>(bytes.begin),
                bytes.end - bytes.begin);
    error = arming.in_all_threads();
    if (error == 0) {
      keep(*edge, arming.descriptors);
      return edge.release();
    }
  } catch (const std::exception&) {  // no memory
  }
  for (const int descriptor : arming.descriptors) close(descriptor);
  free_.fetch_add(needed, std::memory_order_relaxed);
  if (is_for_good(error)) refuse(error);
  return nullptr;
}

void Watchpoints::disarm(WatchedEdge* edge) noexcept {
  if (edge == nullptr) return;
  const int freed = edge->registers;
  delete edge;
  free_.fetch_add(freed, std::memory_order_relaxed);
}

}  // namespace waybill::guard
