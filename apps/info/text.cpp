// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report.hpp"
#include "thread_level_name.hpp"
#include "waybill/config.hpp"

namespace waybill_info {

namespace {

std::string line(const char* name, const std::string& value) {
  return fmt::format("  {:<16} {}\n", name, value);
}

std::string or_reason(const std::string& value, const std::string& reason) {
  return value.empty() ? reason : value;
}

std::string cuda_text(const Cuda& cuda) {
  if (!cuda.reason.empty())
    return or_reason(cuda.driver, "") + (cuda.driver.empty() ? "" : ": ") + cuda.reason;
  return fmt::format("{}, {} device{}", cuda.driver, cuda.devices, cuda.devices == 1 ? "" : "s");
}

}  // namespace

std::string as_text(const Report& report) {
  const waybill::Info& info = report.info;
  std::string text = fmt::format("waybill {}\n\nMPI\n", WAYBILL_VERSION);
  text += line("library", info.mpi_library);
  text += line("standard", info.mpi_standard);
  text +=
      line("thread level", fmt::format("{}{}", waybill_apps::thread_level_name(info.thread_level),
                                       report.progress_thread ? ", with a background thread"
                                                              : ", no background thread"));
  text += line("tags", fmt::format("0 .. {}", info.tag_upper_bound));
  text += line("ranks", fmt::format("{}, {} on this node", info.ranks, info.ranks_on_node));
  text += "\nCores\n";
  text += line("on this node", fmt::format("{} ({})", info.cores_on_node, info.host));
  text += line("oversubscribed", info.oversubscribed ? "yes: waiting threads give way" : "no");
  text +=
      line("spare core", info.spare_core ? "yes: messages move while the program computes"
                                         : "no: the background thread shares the program's core");
  text += line("late partners", info.wakes_neighbours
                                    ? "who waits wakes the background thread of the other rank"
                                    : "are not woken: " + info.no_wake_reason);
  for (const Place& place : report.places) {
    text += line(
        fmt::format("rank {}", place.rank).c_str(),
        fmt::format("{}, cores {}{}", place.host, place.cpu_mask, place.bound ? " (bound)" : ""));
  }
  text += "\nChecks\n";
  text += line("freed buffers", info.sees_freed_buffers ? "are found on the heap and in mappings"
                                                        : "are not found: " + info.no_freed_reason);
  text += "\nUCX (not used by Waybill itself; MPI may use it)\n";
  text += line("version", or_reason(report.ucx.version, report.ucx.reason));
  if (!report.ucx.transports.empty()) {
    text += line("transports", fmt::format("{}", fmt::join(report.ucx.transports, " ")));
  }
  text += "\nCUDA\n";
  text += line("header", or_reason(report.cuda.header, "built without cuda.h"));
  text += line("driver", cuda_text(report.cuda));
  text += "\nSettings in force\n";
  for (const waybill::Setting& setting : report.settings) {
    text += fmt::format("  {:<26} {:<10} from {:<12} allowed: {}\n", setting.variable,
                        or_reason(setting.value, "none"), setting.origin, setting.allowed);
  }
  return text;
}

}  // namespace waybill_info
