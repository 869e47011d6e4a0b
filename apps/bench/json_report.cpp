// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "report.hpp"
#include "waybill/config.hpp"

namespace bench {

using nlohmann::json;

namespace {

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

json median_json(const std::optional<Quartiles>& values) {
  return values ? json(values->median) : json();
}
json range_json(const std::optional<Quartiles>& values) {
  return values ? json{values->low, values->high} : json();
}
json spread_json(const std::optional<Quartiles>& values) {
  return values ? or_null(relative_spread(*values)) : json();
}

json result_json(const Result& result) {
  const auto raw = result.raw_quartiles();
  const auto waybill = result.waybill_quartiles();
  const auto ratio = result.ratio_quartiles();
  json object = {
      {"test", result.test},
      {"variant", result.variant()},
      {"pattern", result.pattern},
      {"contender", result.contender},
      {"bytes", or_null(result.bytes)},
      {"quantity", result.quantity},
      {"unit", result.unit},
      {"better", result.better == Better::lower ? "lower" : "higher"},
      {"raw", median_json(raw)},
      {"waybill", median_json(waybill)},
      {"ratio", median_json(ratio)},
      {"spread",
       {{"raw", spread_json(raw)},
        {"waybill", spread_json(waybill)},
        {"ratio", spread_json(ratio)}}},
      {"quartiles",
       {{"raw", range_json(raw)}, {"waybill", range_json(waybill)}, {"ratio", range_json(ratio)}}},
      {"noisy", result.noisy()},
      {"samples", {{"raw", result.raw}, {"waybill", result.waybill}}}};
  for (const auto& [name, value] : result.extras) object[name] = value;
  return object;
}

json machine_json(const Machine& machine) {
  return {{"host", machine.host},
          {"cpu", machine.cpu},
          {"cores_online", machine.cores_online},
          {"cores_allowed", machine.cores_allowed},
          {"kernel", machine.kernel},
          {"memory_bytes", machine.memory_bytes},
          {"load_at_start", or_null(machine.load_at_start)},
          {"load_at_end", or_null(machine.load_at_end)}};
}

json mpi_json(const MpiFacts& mpi) {
  return {{"library", mpi.library},
          {"standard", mpi.standard},
          {"thread_level", mpi.thread_level},
          {"ranks", mpi.ranks},
          {"ranks_on_node", mpi.ranks_on_node},
          {"oversubscribed", mpi.oversubscribed},
          {"binding", mpi.binding}};
}

json settings_json(const Report& report) {
  json settings = json::object();
  for (const SettingInForce& setting : report.settings) settings[setting.name] = setting.value;
  return settings;
}

}  // namespace

std::string as_json(const Report& report) {
  json results = json::array();
  for (const Result& result : report.results) results.push_back(result_json(result));
  const json document = {{"version", 1},
                         {"waybill", WAYBILL_VERSION},
                         {"date", report.date},
                         {"command", fmt::format("{}", fmt::join(report.command, " "))},
                         {"machine", machine_json(report.machine)},
                         {"mpi", mpi_json(report.mpi)},
                         {"settings", settings_json(report)},
                         {"results", results}};
  // A host or a path may hold bytes that are no UTF-8.
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace bench
