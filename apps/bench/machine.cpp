// SPDX-License-Identifier: BSD-3-Clause
#include "machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace bench {

namespace {

/// The value of the first line that begins with @p name, of "name : value".
std::string cpu_fact(const std::string& name) {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(name) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

std::string cpu_name() {
  for (const char* name : {"model name", "cpu model", "Processor", "CPU implementer"}) {
    if (std::string found = cpu_fact(name); !found.empty()) return found;
  }
  return "unknown";
}

std::size_t positive(long value) { return value > 0 ? static_cast<std::size_t>(value) : 0; }

}  // namespace

std::optional<double> load_average() {
  double one_minute = 0;
  if (getloadavg(&one_minute, 1) < 1) return std::nullopt;
  return one_minute;
}

Machine this_machine() {
  Machine machine;
  utsname names{};
  if (uname(&names) == 0) {
    machine.host = names.nodename;
    machine.kernel = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  }
  machine.cpu = cpu_name();
  machine.cores_online = positive(sysconf(_SC_NPROCESSORS_ONLN));
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    machine.cores_allowed = positive(CPU_COUNT(&allowed));
  }
  machine.memory_bytes = std::uint64_t{positive(sysconf(_SC_PHYS_PAGES))} *
                         std::uint64_t{positive(sysconf(_SC_PAGESIZE))};
  machine.load_at_start = load_average();
  return machine;
}

std::string utc_date() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace bench
