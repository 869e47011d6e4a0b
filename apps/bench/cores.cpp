// SPDX-License-Identifier: BSD-3-Clause
#include "cores.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

namespace bench {

CoreMask mask_of(const CoreList& cores) {
  CoreMask mask{};
  for (const int core : cores) {
    const auto place = static_cast<std::size_t>(core);
    if (place < most_cores) mask[place / 64] |= std::uint64_t{1} << (place % 64);
  }
  return mask;
}

CoreList list_of(const CoreMask& mask) {
  CoreList cores;
  for (std::size_t core = 0; core < most_cores; ++core) {
    if ((mask[core / 64] >> (core % 64) & 1) != 0) cores.push_back(static_cast<int>(core));
  }
  return cores;
}

std::string text_of(const CoreList& cores) {
  std::string text;
  for (std::size_t i = 0; i < cores.size();) {
    std::size_t last = i;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == i ? fmt::format("{}", cores[i]) : fmt::format("{}-{}", cores[i], cores[last]);
    i = last + 1;
  }
  return text;
}

CoreList allowed_cores(pid_t thread) {
  CoreList cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(thread, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

bool allow_cores(const CoreList& cores, pid_t thread) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  return sched_setaffinity(thread, sizeof set, &set) == 0;
}

std::optional<pid_t> background_thread() {
  std::error_code failure;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", failure)) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name == "waybill") return static_cast<pid_t>(std::stol(task.path().filename().string()));
  }
  return std::nullopt;
}

double process_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::optional<double> thread_seconds(pid_t thread) {
  double nanoseconds = 0;
  std::ifstream in(fmt::format("/proc/self/task/{}/schedstat", thread));
  if (!(in >> nanoseconds)) return std::nullopt;
  return nanoseconds / 1e9;
}

}  // namespace bench
