// SPDX-License-Identifier: BSD-3-Clause
#include "bench.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <thread>
#include <utility>

#include "check_levels.hpp"

namespace bench {

namespace {

Contender contender_of(const CheckLevel& level, const Settings& settings) {
  Contender contender;
  contender.name = level.name;
  contender.options.check = level.check;
  contender.options.responsiveness = settings.responsiveness;
  return contender;
}

}  // namespace

Bench::Bench(const Settings& settings, std::string forced_check)
    : settings_(settings), forced_check_(std::move(forced_check)) {
  MPI_Comm_dup(MPI_COMM_WORLD, &world_);
  MPI_Comm_dup(MPI_COMM_SELF, &self_);
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &ranks_);
  progress_.emplace(rank_ == 0);
}

Bench::~Bench() {
  MPI_Comm_free(&self_);
  MPI_Comm_free(&world_);
}

void Bench::polite_barrier(bool giving_way) const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(world_, &request);
  for (int here = 0; MPI_Test(&request, &here, MPI_STATUS_IGNORE), here == 0;) {
    if (giving_way) std::this_thread::yield();
  }
}

std::size_t Bench::agree(std::size_t value) const {
  std::uint64_t shared = value;
  MPI_Bcast(&shared, 1, MPI_UINT64_T, 0, world_);
  return shared;
}

double Bench::largest(double value) const {
  double result = value;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, world_);
  return result;
}

std::vector<std::size_t> Bench::sizes(const Entry& entry) const {
  return settings_.sizes.empty() ? entry.sizes : settings_.sizes;
}

std::vector<Contender> Bench::contenders(bool all_levels) const {
  std::vector<Contender> chosen;
  const waybill::Check usual = waybill::Options().check;
  for (const CheckLevel& level : check_levels) {
    bool wanted = settings_.levels.empty() && (all_levels || level.check == usual);
    for (const std::string& name : settings_.levels) wanted = wanted || name == level.name;
    if (!forced_check_.empty()) wanted = level.name == forced_check_;
    if (wanted) chosen.push_back(contender_of(level, settings_));
  }
  if (chosen.empty()) chosen.push_back(contender_of({forced_check_, usual}, settings_));
  return chosen;
}

void Bench::show(const std::string& what) { progress_->show("waybill-bench: " + what); }

void Bench::note(const std::string& text) {
  if (rank_ != 0) return;
  progress_->wipe();
  fmt::print("note: {}\n", text);
  std::fflush(stdout);
}

void Bench::add(Result result) {
  if (rank_ == 0) results_.push_back(std::move(result));
}

std::vector<Result> Bench::take_results() {
  progress_->wipe();
  return std::exchange(results_, {});
}

}  // namespace bench
