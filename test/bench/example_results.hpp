// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Results as a run might give them.

#include <string>
#include <vector>

#include "report.hpp"

namespace bench_test {

inline bench::Result example_result() {
  bench::Result result;
  result.test = "latency";
  result.pattern = "isend";
  result.contender = "basic";
  result.bytes = 64 << 10;
  result.quantity = "time one way";
  result.unit = "us";
  result.raw = {10, 10, 11, 10, 10};
  result.waybill = {12, 12, 13, 12, 12};
  result.extras["iterations"] = 100;
  return result;
}

/// The same at some sizes, of two patterns; one raw series is missing.
inline std::vector<bench::Result> example_curves() {
  std::vector<bench::Result> results;
  for (const char* pattern : {"isend", "blocking"}) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, std::size_t{4096}}) {
      bench::Result result = example_result();
      result.pattern = pattern;
      result.bytes = bytes;
      if (bytes == 8) result.raw.clear();
      results.push_back(result);
    }
  }
  return results;
}

inline std::vector<bench::Result> example_bars() {
  std::vector<bench::Result> results;
  for (const char* pattern : {"nothing pending, process", "receive pending, process"}) {
    bench::Result result = example_result();
    result.test = "idle";
    result.pattern = pattern;
    result.bytes.reset();
    result.unit = "%";
    result.raw = {0, 0, 0, 0, 0};
    result.waybill = {-1, 0.5, 1, 0, 0};
    results.push_back(result);
  }
  return results;
}

inline bench::Report example_report(std::vector<bench::Result> results) {
  bench::Report report;
  report.machine.host = "node<1>";
  report.machine.cpu = "Some \"CPU\" & more";
  report.machine.cores_online = 2;
  report.machine.cores_allowed = 1;
  report.machine.load_at_start = 0.5;
  report.mpi.library = "Some MPI   Version 1,  more words";
  report.mpi.standard = "3.1";
  report.mpi.thread_level = "MPI_THREAD_MULTIPLE";
  report.mpi.ranks = 2;
  report.mpi.ranks_on_node = 2;
  report.mpi.binding = {"node, cores 0", "node, cores 1"};
  report.settings = {{"rounds", "5", "bench"}, {"WAYBILL_CHECK", "off", "environment"}};
  report.command = {"waybill-bench", "latency"};
  report.date = "2026-01-02T03:04:05Z";
  report.results = std::move(results);
  return report;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace bench_test
