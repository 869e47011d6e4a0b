// SPDX-License-Identifier: BSD-3-Clause
#include "merge.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bench {

using nlohmann::json;

namespace {

std::optional<double> number(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// Without samples.
Result result_from(const json& row) {
  Result result;
  result.test = row.at("test");
  result.pattern = row.at("pattern");
  result.contender = row.at("contender");
  if (row.at("bytes").is_number()) result.bytes = row.at("bytes").get<std::size_t>();
  result.quantity = row.at("quantity");
  result.unit = row.at("unit");
  result.better = row.at("better") == "lower" ? Better::lower : Better::higher;
  return result;
}

bool same_thing(const json& one, const json& other) {
  for (const char* key : {"test", "pattern", "bytes", "quantity"}) {
    if (one.at(key) != other.at(key)) return false;
  }
  return true;
}

MpiFacts mpi_from(const json& mpi) {
  MpiFacts facts;
  facts.library = mpi.at("library");
  facts.standard = mpi.at("standard");
  facts.thread_level = mpi.at("thread_level").get<std::string>() + " for Waybill";
  facts.ranks = mpi.at("ranks");
  facts.ranks_on_node = mpi.at("ranks_on_node");
  facts.oversubscribed = mpi.at("oversubscribed");
  facts.binding = mpi.at("binding").get<std::vector<std::string>>();
  return facts;
}

/// The row of @p job for the same thing as @p wanted, and the same contender if that matters.
const json* find_row(const json& job, const json& wanted, bool same_contender) {
  for (const json& row : job.at("results")) {
    if (!same_thing(row, wanted)) continue;
    if (!same_contender || row.at("contender") == wanted.at("contender")) return &row;
  }
  return nullptr;
}

Report merge_documents(const std::vector<json>& raw_jobs, const std::vector<json>& waybill_jobs) {
  Report report;
  const json& first = waybill_jobs.at(0);
  report.mpi = mpi_from(first.at("mpi"));
  for (const auto& [name, value] : first.at("settings").items()) {
    report.settings.push_back({name, value, name.starts_with("WAYBILL_") ? "job" : "bench"});
  }
  for (const json& row : first.at("results")) {
    Result result = result_from(row);
    for (std::size_t job = 0; job < std::min(raw_jobs.size(), waybill_jobs.size()); ++job) {
      const json* const raw = find_row(raw_jobs[job], row, false);
      const json* const waybill = find_row(waybill_jobs[job], row, true);
      if (raw == nullptr || waybill == nullptr) continue;
      const auto raw_median = number(raw->at("raw"));
      const auto waybill_median = number(waybill->at("waybill"));
      if (!raw_median || !waybill_median) continue;
      result.raw.push_back(*raw_median);
      result.waybill.push_back(*waybill_median);
    }
    result.contender += " vs raw SINGLE";
    if (!result.raw.empty()) report.results.push_back(std::move(result));
  }
  return report;
}

std::vector<json> parse_all(const std::vector<std::string>& texts) {
  std::vector<json> documents;
  for (const std::string& text : texts) documents.push_back(json::parse(text));
  return documents;
}

}  // namespace

Report merge(const std::vector<std::string>& raw_jobs,
             const std::vector<std::string>& waybill_jobs) {
  try {
    return merge_documents(parse_all(raw_jobs), parse_all(waybill_jobs));
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("a job wrote JSON that is not understood: ") +
                             error.what());
  }
}

}  // namespace bench
