// SPDX-License-Identifier: BSD-3-Clause
// waybill-heat: the heat equation on a picture, see --help.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "command_line.hpp"
#include "distribution.hpp"
#include "mistaken_exchange.hpp"
#include "simulation.hpp"
#include "stencil.hpp"
#include "summary.hpp"
#include "waybill/error.hpp"
#include "waybill/runtime.hpp"

namespace heat {

namespace {

constexpr const char* no_memory =
    "there is not enough memory for this picture. Use more nodes or a smaller picture.";

void complain(const std::string& line) { fmt::print(stderr, "waybill-heat: {}\n", line); }

/// The rank that the launcher gave, before MPI runs; 0 when nothing is known.
int launched_rank() {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(name)) return std::atoi(rank);
  }
  return 0;
}

/// Rank 0's; empty elsewhere.
struct Pictures {
  Picture start;
  Picture result;
};

/// Rank 0's decision whether and how to run; throws PictureError. Returns a refusal or nothing.
std::string decide(const CommandLine& line, int processes, Pictures& pictures, Plan& plan) {
  if (!line.refusal.empty()) return line.refusal;
  const Settings& settings = line.settings;
  pictures.start = read_picture(settings.input);
  pictures.result = pictures.start;
  const Picture& picture = pictures.start;
  check_output(settings.output, settings.input);
  const auto grid = process_grid(processes, picture.width, picture.height);
  if (!grid) {
    return fmt::format(
        "{} processes cannot share {} x {} pixels as a grid with at least one pixel each. Use "
        "fewer processes or a larger picture.",
        processes, picture.width, picture.height);
  }
  if (settings.mistake != Mistake::none && processes < 2) {
    return "--mistake is made towards a neighbour: use at least 2 processes.";
  }
  plan.width = picture.width;
  plan.height = picture.height;
  plan.steps = settings.steps;
  plan.alpha = settings.alpha;
  plan.grid = *grid;
  plan.mistake = settings.mistake;
  return {};
}

/// Everybody's plan; if it is to stop, rank 0 has said why.
Plan make_plan(const waybill::Communicator& world, const CommandLine& line, Pictures& pictures) {
  Plan plan;
  if (world.rank() == 0) {
    std::string refusal;
    try {
      refusal = decide(line, world.size(), pictures, plan);
    } catch (const std::bad_alloc&) {
      refusal = no_memory;
    } catch (const PictureError& error) {
      refusal = error.what();
    }
    if (!refusal.empty()) {
      complain(refusal);
      plan.outcome = Outcome::refused;
    }
    fmt::print(stderr, "{}", announcement(plan.mistake));  // before anybody can make it
  }
  return share(world, plan);
}

/// This process's field, or nullptr on every rank if one has no memory for its own.
std::unique_ptr<Field> make_field(const waybill::Communicator& world, const Block& block,
                                  const Neighbours& neighbours) {
  std::unique_ptr<Field> field;
  try {
    field = std::make_unique<Field>(block, neighbours);
  } catch (const std::bad_alloc&) {
  }
  if (agree(world, field ? Outcome::done : Outcome::refused) == Outcome::done) return field;
  if (world.rank() == 0) complain(no_memory);
  return nullptr;
}

/// Rank 0, after the run: compares, writes and prints.
Outcome conclude(const Settings& settings, const Pictures& pictures, Summary& summary) {
  Outcome outcome = Outcome::done;
  try {
    if (settings.verify) {
      const Picture serial = diffuse_serially(pictures.start, settings.steps, settings.alpha);
      summary.difference = max_difference(pictures.result, serial);
      if (!(*summary.difference <= tolerance)) outcome = Outcome::wrong_result;
    }
    write_picture(settings.output, pictures.result);
    summary.result = std::filesystem::absolute(settings.output).lexically_normal().string();
    fmt::print("{}", text_of(summary));
    std::fflush(stdout);
  } catch (const std::bad_alloc&) {
    complain(no_memory);
    return Outcome::refused;
  } catch (const PictureError& error) {
    complain(error.what());
    return Outcome::refused;
  }
  return outcome;
}

Outcome run(waybill::Runtime& runtime, const CommandLine& line) {
  const waybill::Communicator world = runtime.world();
  const bool first = world.rank() == 0;
  Pictures pictures;
  const Plan plan = make_plan(world, line, pictures);
  if (plan.outcome != Outcome::done) return plan.outcome;

  const Block block = block_of(world.rank(), plan.grid, plan.width, plan.height);
  const Neighbours neighbours = neighbours_of(world.rank(), plan.grid);
  const std::unique_ptr<Field> field = make_field(world, block, neighbours);
  if (!field) return Outcome::refused;
  scatter(world, plan, pictures.start, *field);
  field->settle();

  Measurement measurement;
  const std::unique_ptr<HaloExchange> exchange = make_exchange(plan.mistake, world, neighbours);
  {
    std::optional<Progress> progress;
    if (first) progress.emplace(line.settings.progress, plan.steps);
    run_steps(plan, *exchange, *field, progress ? &*progress : nullptr, measurement);
  }

  measurement.findings = runtime.findings();
  Summary summary{plan, gather(world, measurement), {}, {}};
  gather(world, plan, *field, pictures.result);
  const Outcome outcome =
      share(world, first ? conclude(line.settings, pictures, summary) : Outcome::done);
  runtime.shutdown();  // while the buffers and handles of a mistake still live
  return outcome;
}

/// An exception leaves the Runtime before the others are told: its destructor then ends the job.
Outcome run_or_explain(waybill::Runtime& runtime, const CommandLine& line) {
  try {
    return run(runtime, line);
  } catch (const std::exception& error) {
    complain(error.what());
    throw;
  }
}

}  // namespace

}  // namespace heat

int main(int argc, char** argv) {
  const heat::CommandLine line = heat::parse_command_line(argc, argv);
  if (!line.information.empty()) {
    if (heat::launched_rank() == 0) fmt::print("{}", line.information);
    return 0;
  }
  bool explained = false;
  try {
    waybill::Runtime runtime;
    explained = true;
    return static_cast<int>(heat::run_or_explain(runtime, line));
  } catch (const std::exception& error) {
    if (!explained) heat::complain(error.what());
    return static_cast<int>(heat::Outcome::refused);
  }
}
