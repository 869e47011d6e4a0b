// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "report.hpp"
#include "thread_level_name.hpp"
#include "waybill/config.hpp"

namespace waybill_info {

using nlohmann::json;

namespace {

json mpi_json(const Report& report) {
  const waybill::Info& info = report.info;
  return {{"library", info.mpi_library},
          {"standard", info.mpi_standard},
          {"thread_level", waybill_apps::thread_level_name(info.thread_level)},
          {"background_thread", report.progress_thread},
          {"tag_upper_bound", info.tag_upper_bound},
          {"ranks", info.ranks},
          {"ranks_on_node", info.ranks_on_node}};
}

json cores_json(const Report& report) {
  const waybill::Info& info = report.info;
  json places = json::array();
  for (const Place& place : report.places) {
    places.push_back({{"rank", place.rank},
                      {"host", place.host},
                      {"cores", place.cpu_mask},
                      {"bound", place.bound}});
  }
  return {{"host", info.host},
          {"on_node", info.cores_on_node},
          {"oversubscribed", info.oversubscribed},
          {"spare_core", info.spare_core},
          {"wakes_neighbours", info.wakes_neighbours},
          {"no_wake_reason", info.no_wake_reason},
          {"places", places}};
}

json settings_json(const Report& report) {
  json settings = json::array();
  for (const waybill::Setting& setting : report.settings) {
    settings.push_back({{"variable", setting.variable},
                        {"value", setting.value},
                        {"origin", setting.origin},
                        {"allowed", setting.allowed}});
  }
  return settings;
}

json null_if_empty(const std::string& text) { return text.empty() ? json() : json(text); }

}  // namespace

std::string as_json(const Report& report) {
  const json document = {{"version", 1},
                         {"waybill", WAYBILL_VERSION},
                         {"mpi", mpi_json(report)},
                         {"cores", cores_json(report)},
                         {"checks",
                          {{"sees_freed_buffers", report.info.sees_freed_buffers},
                           {"no_freed_reason", report.info.no_freed_reason}}},
                         {"ucx",
                          {{"version", null_if_empty(report.ucx.version)},
                           {"transports", report.ucx.transports},
                           {"reason", null_if_empty(report.ucx.reason)}}},
                         {"cuda",
                          {{"header", null_if_empty(report.cuda.header)},
                           {"driver", null_if_empty(report.cuda.driver)},
                           {"devices", report.cuda.devices},
                           {"reason", null_if_empty(report.cuda.reason)}}},
                         {"settings", settings_json(report)}};
  // names of files need not be UTF-8
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace waybill_info
