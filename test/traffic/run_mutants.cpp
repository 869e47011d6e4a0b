// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "limit.hpp"
#include "program.hpp"
#include "ranks.hpp"
#include "run.hpp"
#include "waybill/info.hpp"

namespace traffic {

namespace {

struct Count {
  std::uint64_t made = 0;
  std::uint64_t detected = 0;
  std::uint64_t followed = 0;  ///< of these with more findings, which follow from the mistake
};

waybill::Options options_for(Verdict& verdict) {
  waybill::Options options;
  options.report_text = false;
  options.shutdown_timeout = std::chrono::milliseconds(200);
  options.on_finding = [&verdict](const waybill::Finding& finding) { verdict.found(finding); };
  return options;
}

Visible what_is_visible() {
  const waybill::Runtime runtime;
  const std::string& level = runtime.settings().front().value;
  Visible visible;
  visible.open_mpi = waybill::info().mpi_library.find("Open MPI") != std::string::npos;
  visible.level = level == "off"       ? waybill::Check::off
                  : level == "content" ? waybill::Check::content
                  : level == "guard"   ? waybill::Check::guard
                                       : waybill::Check::basic;
  return visible;
}

/// Two posts that overlap may come in either order.
bool same(const StepFinding& found, const StepFinding& expected) {
  if (found == expected) return true;
  return expected.other != 0 && found.kind == expected.kind && found.step == expected.other &&
         found.other == expected.step;
}

/// Who overlaps writes into the buffer of another operation, which deeper levels see as well.
bool follows(const StepFinding& found, const Mutation& mutation) {
  return mutation.mistake == Mistake::overlap && mutation.spoils(found.step) &&
         (found.kind == waybill::FindingKind::send_buffer_modified ||
          found.kind == waybill::FindingKind::recv_buffer_touched);
}

/// Findings that are missing, those that are too many, and those that follow from the mistake.
using Off = std::array<std::uint64_t, 3>;

/// On this rank.
Off judge(const Mutation& mutation, const std::string& name, int rank, const Verdict& verdict) {
  Off off{rank == mutation.rank ? 1U : 0U, verdict.complaints(), 0};
  for (const StepFinding& finding : verdict.findings()) {
    if (off[0] > 0 && same(finding, mutation.expected)) {
      off[0] = 0;
    } else if (follows(finding, mutation)) {
      ++off[2];
    } else {
      ++off[1];
      std::fprintf(stderr, "%s: rank %d reports %s\n", name.c_str(), rank,
                   describe(finding).c_str());
    }
  }
  return off;
}

class Mutants {
 public:
  explicit Mutants(const CommandLine& line) : line_(line), visible_(what_is_visible()) {}

  void run(std::uint64_t number);
  std::uint64_t sum_up() const;

 private:
  void play(const Plan& plan, const Mutation& mutation, const std::string& name);

  CommandLine line_;
  Visible visible_;
  Ranks ranks_;
  Verdict verdict_;
  std::array<Count, mistakes> counts_{};
};

void Mutants::run(std::uint64_t number) {
  Size size = line_.size;
  size.most_messages = 60;
  size.most_bytes = std::size_t{4} << 20;
  const Plan plan = make_plan(number, ranks_.size, size);
  const auto mutation = choose_mutation(plan, ~number, visible_);
  const std::string name = "mutant " + std::to_string(number);
  if (!mutation) {
    if (ranks_.rank == 0) std::printf("%s: has no place for a mistake\n", name.c_str());
    return;
  }
  play(plan, *mutation, name);
  const auto off = sum_over_ranks(judge(*mutation, name, ranks_.rank, verdict_));
  Count& count = counts_[static_cast<std::size_t>(mutation->mistake)];
  ++count.made;
  const bool detected = off[0] == 0 && off[1] == 0;
  if (detected) ++count.detected;
  if (detected && off[2] > 0) ++count.followed;
  if (ranks_.rank == 0 && (line_.verbose || !detected)) {
    std::printf("%s: %s: %s%s\n", name.c_str(), describe(*mutation).c_str(),
                off[0] == 0 ? "detected" : "missed", off[1] == 0 ? "" : ", and more was found");
    std::fflush(stdout);
  }
}

/// With a Runtime of its own, since some mistakes are seen at its end only.
void Mutants::play(const Plan& plan, const Mutation& mutation, const std::string& name) {
  verdict_.begin(name, ranks_.rank);
  const Limit limit(name, ranks_.rank, line_.limit_seconds, verdict_);
  Program program(plan, &mutation, ranks_.rank);
  waybill::Runtime runtime(options_for(verdict_));
  Communicators communicators;
  program.run(communicators, verdict_, runtime);
  runtime.shutdown();
}

std::uint64_t Mutants::sum_up() const {
  Count all;
  for (std::size_t i = 0; i < mistakes; ++i) {
    const Count& count = counts_[i];
    all.made += count.made;
    all.detected += count.detected;
    if (ranks_.rank == 0 && count.made > 0) {
      std::printf("  %-8s %llu of %llu", traffic::name(static_cast<Mistake>(i)),
                  static_cast<unsigned long long>(count.detected),
                  static_cast<unsigned long long>(count.made));
      if (count.followed > 0) {
        std::printf(", %llu with findings that follow from it",
                    static_cast<unsigned long long>(count.followed));
      }
      std::printf("\n");
    }
  }
  if (ranks_.rank == 0) {
    std::printf("%d ranks: %llu of %llu mistakes detected\n", ranks_.size,
                static_cast<unsigned long long>(all.detected),
                static_cast<unsigned long long>(all.made));
  }
  return all.made - all.detected;
}

}  // namespace

std::uint64_t run_mutants(const CommandLine& line) {
  Mutants mutants(line);
  for (std::uint64_t number = line.first; number <= line.last; ++number) mutants.run(number);
  return mutants.sum_up();
}

}  // namespace traffic
