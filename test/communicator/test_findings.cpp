// SPDX-License-Identifier: BSD-3-Clause
// Each detector over MPI: fires, names the right line, silent on the nearest correct program.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <vector>

#include "support/catch.hpp"
#include "support/ring.hpp"
#include "waybill/mpi.hpp"
#include "waybill/waybill.hpp"

using test_support::message;
using test_support::Ring;
using waybill::Finding;
using waybill::FindingKind;
using waybill::Runtime;
using waybill::Work;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// A Runtime whose findings are kept.
struct Watched {
  Watched()
      : runtime({.shutdown_timeout = std::chrono::milliseconds(300),
                 .report_text = false,
                 .on_finding = [this](const Finding& finding) {
                   const std::lock_guard lock(mutex);
                   findings.push_back(finding);
                 }}) {}
  std::vector<Finding> take() {
    const std::lock_guard lock(mutex);
    return std::exchange(findings, {});
  }
  std::mutex mutex;
  std::vector<Finding> findings;
  Runtime runtime;
};

void require_one(std::vector<Finding> findings, FindingKind kind, unsigned line, int rank) {
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == kind);
  REQUIRE(findings[0].site.line == line);
  REQUIRE(findings[0].rank == rank);
  REQUIRE_THAT(findings[0].site.file, ContainsSubstring("test_findings.cpp"));
}

}  // namespace

TEST_CASE("dropped-handle") {
  Watched watched;
  const auto world = watched.runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    const Bytes out = message(ring.rank, 1, bytes);
    Bytes in(bytes);
    const unsigned line = __LINE__ + 1;
    { const Work lost = world.isend(out, ring.next, 1); }
    world.recv(in, ring.previous, 1);
    REQUIRE(in == message(ring.previous, 1, bytes));
    world.dup().free();  // everybody has received before out ends
    require_one(watched.take(), FindingKind::dropped_handle, line, ring.rank);
    Work kept = world.isend(out, ring.next, 1);
    world.recv(in, ring.previous, 1);
    kept.wait();
  }
  REQUIRE(watched.take().empty());
}

TEST_CASE("overlapping-buffers") {
  Watched watched;
  const auto world = watched.runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    if (bytes == 0) continue;
    Bytes in(2 * bytes);
    const std::span<std::uint8_t> all(in);
    const unsigned line = __LINE__ + 1;
    Work first = world.irecv(all.first(bytes), ring.previous, 101);  // nobody sends these
    Work second = world.irecv(all.subspan(bytes - 1, 1), ring.previous, 102);
    auto findings = watched.take();
    REQUIRE(findings.size() == 1);
    REQUIRE(findings[0].other.line == line);
    require_one(std::move(findings), FindingKind::overlapping_buffers, line + 1, ring.rank);
    REQUIRE(first.cancel());
    REQUIRE(second.cancel());
    Work left = world.irecv(all.first(bytes), ring.previous, 1);
    Work right = world.irecv(all.subspan(bytes, bytes), ring.previous, 2);  // next to it
    Work read = world.isend(Bytes(bytes), ring.next, 1);
    Work read_too = world.isend(Bytes(bytes), ring.next, 2);
    for (Work* work : {&left, &right, &read, &read_too}) work->wait();
  }
  REQUIRE(watched.take().empty());
}

TEST_CASE("overlapping-buffers of derived types are decided on the bytes they touch") {
  Watched watched;
  const auto world = watched.runtime.world();
  const Ring ring(world);
  std::vector<int> matrix(64);
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(8, 1, 8, MPI_INT, &column);
  MPI_Type_commit(&column);
  Work one = world.irecv(waybill::recv_buffer(matrix.data(), 1, column), ring.previous, 1);
  Work two = world.irecv(waybill::recv_buffer(matrix.data() + 1, 1, column), ring.previous, 2);
  Work three = world.irecv(waybill::column(matrix.data(), 8, 8, 2), ring.previous, 3);
  REQUIRE(watched.take().empty());
  const unsigned line = __LINE__ + 1;
  Work cross = world.irecv(std::span(matrix).subspan(9, 1), ring.previous, 4);
  require_one(watched.take(), FindingKind::overlapping_buffers, line, ring.rank);
  for (Work* work : {&one, &two, &three, &cross}) REQUIRE(work->cancel());
  MPI_Type_free(&column);
}

TEST_CASE("truncated") {
  Watched watched;
  const auto world = watched.runtime.world();
  const Ring ring(world);
  if (ring.size == 1) return;  // Open MPI lets it pass from a rank to itself
  for (const std::size_t bytes : test_support::sizes) {
    if (bytes == 0) continue;
    // Open MPI 4.1 writes the whole message before it reports the error.
    Bytes memory(2 * bytes);
    const unsigned line = __LINE__ + 1;
    Work receive = world.irecv(std::span(memory).first(bytes / 2), ring.previous, 1);
    Work send = world.isend(message(ring.rank, 1, bytes), ring.next, 1);
    std::error_code failure;
    receive.wait(failure);
    REQUIRE(failure == waybill::Errc::truncated);
    send.wait();
    require_one(watched.take(), FindingKind::truncated, line, ring.rank);
    Work fits = world.irecv(std::span(memory).first(bytes), ring.previous, 1);
    Work again = world.isend(message(ring.rank, 1, bytes), ring.next, 1);
    fits.wait();
    again.wait();
  }
  REQUIRE(watched.take().empty());
}

TEST_CASE("short-message") {
  Watched watched;
  const auto world = watched.runtime.world();
  const Ring ring(world);
  for (const std::size_t bytes : test_support::sizes) {
    Bytes in(bytes + 8);
    for (const bool ask : {false, true}) {
      const unsigned line = __LINE__ + 1;
      Work receive = world.irecv(in, ring.previous, 1);
      Work send = world.isend(message(ring.rank, 1, bytes), ring.next, 1);
      receive.wait();
      send.wait();
      if (ask) REQUIRE(receive.status().bytes() == bytes);
      receive = Work();
      if (!ask) require_one(watched.take(), FindingKind::short_message, line, ring.rank);
    }
  }
  REQUIRE(watched.take().empty());
}

TEST_CASE("never-waited, and silent after a test") {
  for (const std::size_t bytes : test_support::sizes) {
    Watched watched;
    const auto world = watched.runtime.world();
    const Ring ring(world);
    const Bytes out(bytes);
    Bytes in(bytes);
    const unsigned line = __LINE__ + 1;
    Work send = world.isend(out, ring.next, 1);
    world.recv(in, ring.previous, 1);
    world.dup().free();
    Work looked_at = world.isend(out, ring.next, 2);
    world.recv(in, ring.previous, 2);
    while (!looked_at.test()) {
    }
    watched.runtime.shutdown();
    const auto findings = watched.take();
    REQUIRE(findings.size() == 1);
    REQUIRE(findings[0].site.line == line);
    const bool early = findings[0].kind == FindingKind::unfinished_at_shutdown;
    REQUIRE((early || findings[0].kind == FindingKind::never_waited));
  }
}

TEST_CASE("unfinished-at-shutdown, within the bound") {
  for (const std::size_t bytes : test_support::sizes) {
    Watched watched;
    const auto world = watched.runtime.world();
    const Ring ring(world);
    Bytes in(bytes);
    const unsigned line = __LINE__ + 1;
    Work receive = world.irecv(in, ring.previous, 1);
    world.irecv(Bytes(8), ring.previous, 2).cancel();
    watched.runtime.shutdown();
    auto findings = watched.take();
    findings.erase(
        std::remove_if(findings.begin(), findings.end(),
                       [](const Finding& f) { return f.kind == FindingKind::dropped_handle; }),
        findings.end());
    require_one(std::move(findings), FindingKind::unfinished_at_shutdown, line, ring.rank);
    REQUIRE_THROWS_AS(receive.wait(), waybill::Error);
  }
}
