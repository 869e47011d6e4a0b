// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "bench/example_results.hpp"
#include "support/catch.hpp"

using nlohmann::json;

namespace {

json document_of(std::vector<bench::Result> results) {
  return json::parse(bench::as_json(bench_test::example_report(std::move(results))));
}

}  // namespace

TEST_CASE("JSON: facts of the run") {
  const json document = document_of({});
  CHECK(document.at("command") == "waybill-bench latency");
  CHECK(document.at("date") == "2026-01-02T03:04:05Z");
  CHECK(document.at("machine").at("host") == "node<1>");
  CHECK(document.at("machine").at("load_at_start") == 0.5);
  CHECK(document.at("machine").at("load_at_end").is_null());
  CHECK(document.at("mpi").at("ranks") == 2);
  CHECK(document.at("settings").at("WAYBILL_CHECK") == "off");
  CHECK(document.at("results").empty());
}

TEST_CASE("JSON: a result with all its samples") {
  const json row = document_of({bench_test::example_result()}).at("results").at(0);
  CHECK(row.at("test") == "latency");
  CHECK(row.at("variant") == "isend, basic");
  CHECK(row.at("bytes") == 65536);
  CHECK(row.at("unit") == "us");
  CHECK(row.at("better") == "lower");
  CHECK(row.at("raw") == 10);
  CHECK(row.at("waybill") == 12);
  CHECK(row.at("ratio").get<double>() == Approx(1.2));
  CHECK(row.at("spread").at("raw") == 0);
  CHECK(row.at("noisy") == false);
  CHECK(row.at("samples").at("raw").size() == 5);
  CHECK(row.at("iterations") == 100);
}

TEST_CASE("JSON: null for what was not measured or is undefined") {
  bench::Result result = bench_test::example_result();
  result.raw.clear();
  result.bytes.reset();
  const json row = document_of({result, bench_test::example_bars().front()}).at("results").at(0);
  CHECK(row.at("raw").is_null());
  CHECK(row.at("ratio").is_null());
  CHECK(row.at("bytes").is_null());
  CHECK(document_of(bench_test::example_bars()).at("results").at(0).at("ratio").is_null());
}

TEST_CASE("JSON: bytes that are no UTF-8 do no harm") {
  bench::Report report = bench_test::example_report({});
  report.command = {"waybill-bench", "\xff"};
  CHECK(json::parse(bench::as_json(report)).contains("command"));
}
