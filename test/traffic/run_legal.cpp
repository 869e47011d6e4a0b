// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <string>

#include "limit.hpp"
#include "program.hpp"
#include "ranks.hpp"
#include "run.hpp"

namespace traffic {

namespace {

/// Any finding in a legal program is one too many.
waybill::Options options_for(Verdict& verdict) {
  waybill::Options options;
  options.report_text = false;
  options.on_finding = [&verdict](const waybill::Finding& finding) {
    verdict.complain(finding.site.line, finding.site.function[0] == 's',
                     std::string("Waybill reports ") + waybill::name(finding.kind) + " in " +
                         finding.site.file + ": " + finding.what);
  };
  return options;
}

}  // namespace

void show(const CommandLine& line) {
  const Ranks ranks;
  for (std::uint64_t seed = line.first; seed <= line.last; ++seed) {
    const Plan plan = make_plan(seed, ranks.size, line.size);
    std::printf("seed %llu: %d threads%s\n", static_cast<unsigned long long>(seed), plan.threads,
                plan.fresh ? ", communicators of its own" : "");
    for (const Message& message : plan.messages) std::printf("  %s\n", describe(message).c_str());
  }
}

std::uint64_t run_legal(const CommandLine& line) {
  const Ranks ranks;
  Verdict verdict;
  std::uint64_t wrong = 0;
  std::uint64_t messages = 0;
  std::string level;
  for (std::uint64_t first = line.first; first <= line.last; first += line.plans_per_runtime) {
    const std::uint64_t last = std::min(line.last, first + line.plans_per_runtime - 1);
    waybill::Runtime runtime(options_for(verdict));
    level = runtime.settings().front().value;
    Communicators communicators;
    std::uint64_t counted = 0;
    for (std::uint64_t seed = first; seed <= last; ++seed) {
      const Plan plan = make_plan(seed, ranks.size, line.size);
      const std::string name = "seed " + std::to_string(seed);
      verdict.begin(name, ranks.rank);
      const Limit limit(name, ranks.rank, line.limit_seconds, verdict);
      Program program(plan, nullptr, ranks.rank);
      program.run(communicators, verdict, runtime);
      messages += plan.messages.size();
      const std::uint64_t bad = sum_over_ranks<1>({verdict.complaints()})[0];
      counted = verdict.complaints();
      if (bad > 0) ++wrong;
      if (ranks.rank == 0 && (line.verbose || bad > 0)) {
        std::printf("%s: %zu messages, %d threads, %llu wrong\n", name.c_str(),
                    plan.messages.size(), plan.threads, static_cast<unsigned long long>(bad));
        std::fflush(stdout);
      }
    }
    const Limit limit("shutdown", ranks.rank, line.limit_seconds, verdict);
    runtime.shutdown();
    if (sum_over_ranks<1>({verdict.complaints() - counted})[0] > 0) ++wrong;
  }
  if (ranks.rank == 0) {
    std::printf("level %s, %d ranks: %llu programs, %llu messages, %llu wrong\n", level.c_str(),
                ranks.size, static_cast<unsigned long long>(line.last - line.first + 1),
                static_cast<unsigned long long>(messages), static_cast<unsigned long long>(wrong));
  }
  return wrong;
}

}  // namespace traffic
