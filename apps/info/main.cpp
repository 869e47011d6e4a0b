// SPDX-License-Identifier: BSD-3-Clause
// waybill-info: what Waybill found on this machine and which settings are in force.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "report.hpp"
#include "waybill/waybill.hpp"

namespace {

using waybill_info::Place;

/// One line of text per rank: "host mask bound".
std::string pack(const waybill::Info& info) {
  return fmt::format("{} {} {}", info.host, info.cpu_mask, info.bound ? 1 : 0);
}

Place unpack(int rank, const std::string& text) {
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  return {rank, text.substr(0, first), text.substr(first + 1, second - first - 1),
          text.substr(second + 1) == "1"};
}

/// On rank 0 the places of all ranks, in order.
std::vector<Place> gather_places(const waybill::Communicator& world, const waybill::Info& info) {
  const std::string mine = pack(info);
  if (world.rank() != 0) {
    world.send(mine, 0);
    return {};
  }
  std::vector<Place> places{unpack(0, mine)};
  for (int rank = 1; rank < world.size(); ++rank) {
    std::string text(world.probe(rank).bytes(), ' ');
    world.recv(text, rank);
    places.push_back(unpack(rank, text));
  }
  return places;
}

int run(bool json) {
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  waybill_info::Report report;
  report.info = waybill::info();
  report.progress_thread = runtime.progress_thread();
  report.settings = runtime.settings();
  report.places = gather_places(world, report.info);
  if (world.rank() != 0) return EXIT_SUCCESS;
  report.ucx = waybill_info::query_ucx();
  report.cuda = waybill_info::query_cuda();
  const std::string text = json ? waybill_info::as_json(report) : waybill_info::as_text(report);
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Shows what Waybill found on this machine and which settings are in force."};
  app.name("waybill-info");
  bool json = false;
  app.add_flag("--json", json, "one JSON document instead of text");
  app.set_version_flag("--version", WAYBILL_VERSION);
  try {
    app.parse(argc, argv);
    return run(json);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : (app.exit(error), 2);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "waybill-info: %s\n", error.what());
    return 2;
  }
}
