// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/facts.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "transport/mpi/check.hpp"

namespace waybill::transport::mpi {

namespace {

constexpr std::size_t mask_words = 64;  // 4096 cores of a node are told apart
using Mask = std::array<unsigned long long, mask_words>;

bool has(const Mask& mask, std::size_t cpu) { return (mask[cpu / 64] >> (cpu % 64) & 1) != 0; }

int count(const Mask& mask) {
  int bits = 0;
  for (const unsigned long long word : mask) bits += __builtin_popcountll(word);
  return bits;
}

/// "0-3,8"
std::string list_form(const Mask& mask) {
  std::string text;
  for (std::size_t cpu = 0; cpu < mask_words * 64; ++cpu) {
    if (!has(mask, cpu)) continue;
    const std::size_t first = cpu;
    while (cpu + 1 < mask_words * 64 && has(mask, cpu + 1)) ++cpu;
    if (!text.empty()) text += ',';
    text += cpu == first ? fmt::format("{}", first) : fmt::format("{}-{}", first, cpu);
  }
  return text;
}

/// This process's CPU mask, which the launcher may have narrowed.
Mask own_mask() {
  Mask mask{};
  static_assert(sizeof mask % sizeof(cpu_set_t) == 0);
  if (sched_getaffinity(0, sizeof mask, reinterpret_cast<cpu_set_t*>(mask.data())) != 0) {
    mask[0] = 1;
  }
  return mask;
}

bool share(const Mask& a, const Mask& b) {
  for (std::size_t i = 0; i < mask_words; ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

/// The ranks of this node whose mask meets mine, and the cores they have together.
void compare_masks(Info& info, const Mask& mine, MPI_Comm node) {
  std::vector<Mask> all(static_cast<std::size_t>(info.ranks_on_node));
  require(MPI_Allgather(mine.data(), mask_words, MPI_UNSIGNED_LONG_LONG, all.data(), mask_words,
                        MPI_UNSIGNED_LONG_LONG, node),
          "MPI_Allgather");
  Mask together{};
  info.ranks_on_cores = 0;
  for (const Mask& other : all) {
    if (!share(mine, other)) continue;
    ++info.ranks_on_cores;
    for (std::size_t i = 0; i < mask_words; ++i) together[i] |= other[i];
  }
  const int cores = std::max(1, count(together));
  info.oversubscribed = info.ranks_on_cores > cores;
  // an unbound rank shares its mask with the others: each has its part of it
  info.spare_core = info.cores_allowed >= 2 && info.ranks_on_cores < cores;
}

}  // namespace

Info gather_facts() {
  Info info;
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = {};
  int length = 0;
  require(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  info.mpi_library = text;  // not by length, which Open MPI counts with the final zero
  info.mpi_library = info.mpi_library.substr(0, info.mpi_library.find_first_of("\r\n"));
  int version = 0;
  int subversion = 0;
  require(MPI_Get_version(&version, &subversion), "MPI_Get_version");
  info.mpi_standard = fmt::format("{}.{}", version, subversion);
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  info.host = host;
  info.cores_on_node = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  const Mask mine = own_mask();
  info.cores_allowed = std::max(1, count(mine));
  info.cpu_mask = list_form(mine);
  info.bound = info.cores_allowed < info.cores_on_node;
  require(MPI_Comm_size(MPI_COMM_WORLD, &info.ranks), "MPI_Comm_size");
  MPI_Comm node = MPI_COMM_NULL;
  require(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
          "MPI_Comm_split_type");
  require(MPI_Comm_size(node, &info.ranks_on_node), "MPI_Comm_size");
  compare_masks(info, mine, node);
  MPI_Comm_free(&node);
  return info;
}

}  // namespace waybill::transport::mpi
