// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/node_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "transport/mpi/check.hpp"

namespace waybill::transport::mpi {

namespace {

using Name = std::array<char, 64>;  // empty: the memory could not be made

/// A new object of shared memory; its name, and what opens it.
int create(Name& name, std::size_t bytes) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::snprintf(name.data(), name.size(), "/waybill-%ld-%lld%09ld", static_cast<long>(getpid()),
                static_cast<long long>(now.tv_sec), now.tv_nsec);
  const int file = shm_open(name.data(), O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
  if (file < 0) {
    name.fill('\0');
    return -1;
  }
  // posix_fallocate: a full file system is an error here, not a SIGBUS later
  errno = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (errno == 0) return file;
  const int reason = errno;
  close(file);
  shm_unlink(name.data());
  name.fill('\0');
  errno = reason;
  return -1;
}

std::byte* map(int file, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

/// Collective over @p node; null where it failed, and errno says why.
std::byte* open_together(MPI_Comm node, bool creates, std::size_t bytes) {
  Name name{};
  int file = creates ? create(name, bytes) : -1;
  int reason = errno;
  require(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, node), "MPI_Bcast");
  if (!creates && name[0] != '\0') {
    file = shm_open(name.data(), O_RDWR, 0);
    reason = errno;
  }
  std::byte* memory = nullptr;
  if (file >= 0) {
    memory = map(file, bytes);
    reason = errno;
    close(file);
  }
  int all = memory != nullptr ? 1 : 0;
  require(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
  if (creates && name[0] != '\0') shm_unlink(name.data());
  if (all == 0 && memory != nullptr) {
    munmap(memory, bytes);
    memory = nullptr;
    reason = 0;  // it was another process
  }
  errno = reason;
  return memory;
}

}  // namespace

const NodeMemory& NodeMemory::of_process(std::size_t bytes_each) {
  static const auto* const memory = new NodeMemory(bytes_each);  // threads may outlive main()
  return *memory;
}

NodeMemory::NodeMemory(std::size_t bytes_each) : bytes_each_(bytes_each) {
  MPI_Comm node = MPI_COMM_NULL;
  require(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
          "MPI_Comm_split_type");
  int count = 0;
  int mine = 0;
  require(MPI_Comm_size(node, &count), "MPI_Comm_size");
  require(MPI_Comm_rank(node, &own_place_), "MPI_Comm_rank");
  require(MPI_Comm_rank(MPI_COMM_WORLD, &mine), "MPI_Comm_rank");
  processes_.resize(static_cast<std::size_t>(count));
  require(MPI_Allgather(&mine, 1, MPI_INT, processes_.data(), 1, MPI_INT, node), "MPI_Allgather");
  if (count == 1) {
    reason_ = "no other process on this node";
  } else {
    memory_ = open_together(node, own_place_ == 0, processes_.size() * bytes_each);
    if (memory_ == nullptr) {
      reason_ = errno == 0 ? "another process could not map the shared memory"
                           : fmt::format("shared memory: {}", std::strerror(errno));
    }
  }
  MPI_Comm_free(&node);
}

}  // namespace waybill::transport::mpi
