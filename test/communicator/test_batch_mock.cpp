// SPDX-License-Identifier: BSD-3-Clause
// Batches without a launcher: what is refused, what is owned, what findings name.
#include <chrono>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/mock_runtime.hpp"
#include "waybill/waybill.hpp"

using test_support::MockRuntime;
using waybill::Batch;
using waybill::BatchWork;
using waybill::Communicator;
using waybill::Errc;
using waybill::Error;
using waybill::FindingKind;

namespace {

template <class Call>
Error error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  FAIL("no error");
  return Error(Errc::transport, {});
}

}  // namespace

TEST_CASE("handles come in the order added, receives are posted first") {
  MockRuntime runtime;
  const auto world = runtime.world();
  std::vector<int> out{1, 2, 3};
  std::vector<int> in(3);
  Batch batch;
  REQUIRE(batch.isend(waybill::value(out[0]), 0, 5) == 0);
  REQUIRE(batch.irecv(waybill::value(in[0]), 0, 5) == 1);
  REQUIRE(batch.isend(waybill::value(out[1]), 0, 5) == 2);
  REQUIRE(batch.irecv(waybill::value(in[1]), 0, 5) == 3);
  BatchWork works = world.post(std::move(batch));
  REQUIRE(batch.empty());
  REQUIRE(works.size() == 4);
  works.wait();
  REQUIRE(in == std::vector<int>{1, 2, 0});  // as sent: order is kept
  REQUIRE(works[3].status().bytes() == sizeof(int));
  REQUIRE(works.test());
  // The object can be filled again.
  batch.isend(waybill::value(out[2]), 0, 6);
  batch.irecv(waybill::value(in[2]), 0, 6);
  works = world.post(std::move(batch));
  REQUIRE(works.wait_for(std::chrono::seconds(10)));
  REQUIRE(in[2] == 3);
  REQUIRE(world.post(Batch()).empty());
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("a batch whose receives are added behind its sends finds them posted") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int out = 4;
  int in = 0;
  Batch batch;
  batch.isend(waybill::value(out), 0);
  batch.irecv(waybill::value(in), 0);
  BatchWork works = world.post(std::move(batch));
  REQUIRE(works.wait_for(std::chrono::seconds(10)));
  REQUIRE(in == 4);
}

TEST_CASE("a wrong member is named with its line, and nothing is posted") {
  MockRuntime runtime;
  const auto world = runtime.world();
  int x = 0;
  int y = 0;
  Batch batch;
  batch.irecv(waybill::value(x), 0, 1);
  const unsigned line = __LINE__ + 1;
  batch.isend(waybill::value(y), 7, 3);
  batch.isend(waybill::value(y), 0, 1);
  const Error error = error_of([&] { static_cast<void>(world.post(std::move(batch))); });
  REQUIRE(error.code() == Errc::invalid_rank);
  REQUIRE(error.where().line() == line);
  REQUIRE(error.peer() == 7);
  REQUIRE(error.tag() == 3);
  REQUIRE_THAT(
      error.what(),
      ContainsSubstring("post: member 1 of 3: isend to rank 7, tag 3 (test_batch_mock.cpp:" +
                        std::to_string(line)));
  REQUIRE_THAT(error.what(), ContainsSubstring("nothing was posted"));
  REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
  REQUIRE(runtime.transport.in_flight() == 0);
  REQUIRE(batch.size() == 3);  // as it was
  std::error_code failure;
  REQUIRE(world.post(std::move(batch), failure).empty());
  REQUIRE(failure == Errc::invalid_rank);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("each kind of argument is checked before the first post") {
  MockRuntime runtime;
  const auto world = runtime.world();
  const auto exact = world.dup({.exact_matching = true});
  int x = 0;
  int* const nowhere = nullptr;
  const auto code = [&](const Communicator& comm, const auto& add) {
    Batch batch;
    batch.irecv(waybill::value(x), 0, 1);
    add(batch);
    std::error_code failure;
    REQUIRE(comm.post(std::move(batch), failure).empty());
    REQUIRE(runtime.transport.in_flight() == 0);
    return failure;
  };
  REQUIRE(code(world, [&](Batch& b) { b.isend(waybill::value(x), 0, -4); }) == Errc::invalid_tag);
  REQUIRE(code(world, [&](Batch& b) { b.isend(std::span<int>(nowhere, 2), 0); }) ==
          Errc::invalid_buffer);
  REQUIRE(code(exact, [&](Batch& b) { b.irecv(waybill::value(x), waybill::any_source); }) ==
          Errc::wildcard_refused);
  REQUIRE(code(Communicator(), [](Batch&) {}) == Errc::empty_handle);
  const unsigned line = __LINE__ + 1;
  const Error error = error_of([&] { static_cast<void>(Communicator().post(Batch())); });
  REQUIRE(error.where().line() == line);
  REQUIRE(error.code() == Errc::empty_handle);
}

TEST_CASE("after shutdown a batch is refused") {
  Batch batch;
  int x = 0;
  batch.isend(waybill::value(x), 0);
  Communicator world;
  {
    MockRuntime runtime;
    world = runtime.world();
  }
  REQUIRE(error_of([&] { static_cast<void>(world.post(std::move(batch))); }).code() ==
          Errc::not_running);
}

TEST_CASE("a batch that is never posted is silent") {
  MockRuntime runtime;
  int x = 0;
  {
    Batch batch;
    batch.isend(waybill::value(x), 0);
    batch.irecv(std::vector<int>(4), 0);
  }
  REQUIRE(runtime.transport.in_flight() == 0);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("owned containers are moved in and taken back") {
  MockRuntime runtime;
  const auto world = runtime.world();
  Batch batch;
  batch.irecv(std::vector<int>(3), 0, 2);
  batch.isend(std::vector<int>{4, 5, 6}, 0, 2);
  int plain = 0;
  batch.isend(waybill::value(plain), 0, 3);
  batch.irecv(std::string(4, ' '), 0, 3);
  BatchWork works = world.post(std::move(batch));
  REQUIRE(error_of([&] { static_cast<void>(works.owned<std::vector<double>>(0)); }).code() ==
          Errc::invalid_option);
  REQUIRE(error_of([&] { static_cast<void>(works.owned<std::vector<int>>(2)); }).code() ==
          Errc::invalid_option);
  REQUIRE(works.owned<std::vector<int>>(0).take() == std::vector<int>{4, 5, 6});
  REQUIRE_FALSE(works[0].valid());
  REQUIRE(error_of([&] { static_cast<void>(works.owned<std::vector<int>>(0)); }).code() ==
          Errc::empty_handle);
  works.wait();  // the others
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("overlaps and dropped handles of members name the members' lines") {
  std::vector<int> in(8);  // dropped operations write until the Runtime has ended
  std::vector<int> read(8);
  MockRuntime runtime;
  const auto world = runtime.world();
  const std::span<int> all(in);
  const unsigned line = __LINE__ + 2;
  Batch batch;
  batch.irecv(all.first(4), 0, 1);
  batch.irecv(all.subspan(3, 2), 0, 2);
  BatchWork works = world.post(std::move(batch));
  auto findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::overlapping_buffers);
  REQUIRE(findings[0].site.line == line + 1);
  REQUIRE(findings[0].other.line == line);
  REQUIRE(works[0].cancel());
  works = BatchWork();
  findings = runtime.findings.take();
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].kind == FindingKind::dropped_handle);
  REQUIRE(findings[0].site.line == line + 1);
  world.send(all.subspan(3, 2), 0, 2);
  // The nearest correct program.
  batch.irecv(all.first(4), 0, 1);
  batch.irecv(all.subspan(4, 2), 0, 2);
  works = world.post(std::move(batch));
  for (auto& work : works) REQUIRE(work.cancel());
  batch.isend(all, 0, 1);
  batch.isend(all, 0, 2);
  world.post(std::move(batch)).detach();
  world.recv(read, 0, 1);
  world.recv(read, 0, 2);
  REQUIRE(runtime.findings.take().empty());
}

TEST_CASE("what the transport refuses in the middle leaves the rest in flight") {
  std::vector<int> in(4);
  int out = 1;
  MockRuntime runtime;
  const auto world = runtime.world();
  Batch batch;
  const unsigned line = __LINE__ + 1;
  batch.isend(waybill::value(out), 0, 9);
  batch.irecv(waybill::value(in[0]), 0, 1);
  batch.irecv(waybill::value(in[1]), 0, 2);
  SECTION("with its handles where the call does not throw") {
    runtime.transport.posts_until_refusal = 2;
    std::error_code failure;
    BatchWork works = world.post(std::move(batch), failure);
    REQUIRE(failure == Errc::transport);
    REQUIRE(works.size() == 3);
    REQUIRE_FALSE(works[0].valid());
    REQUIRE(batch.empty());
    runtime.transport.posts_until_refusal = -1;
    world.send(waybill::value(out), 0, 1);
    world.send(waybill::value(out), 0, 2);
    works.wait();
    REQUIRE(in[0] == 1);
    REQUIRE(in[1] == 1);
    REQUIRE(runtime.findings.take().empty());
  }
  SECTION("without, where it throws") {
    runtime.transport.posts_until_refusal = 2;
    const Error error = error_of([&] { static_cast<void>(world.post(std::move(batch))); });
    runtime.transport.posts_until_refusal = -1;
    REQUIRE(error.code() == Errc::transport);
    REQUIRE(error.where().line() == line);
    REQUIRE_THAT(error.what(), ContainsSubstring("member 0 of 3"));
    REQUIRE_THAT(error.what(), ContainsSubstring("2 posted before it go on"));
    const auto findings = runtime.findings.take();
    REQUIRE(findings.size() == 2);
    REQUIRE(findings[0].kind == FindingKind::dropped_handle);
    REQUIRE(findings[0].site.line == line + 1);
    world.send(waybill::value(out), 0, 1);
    world.send(waybill::value(out), 0, 2);
  }
}

TEST_CASE("a finding of a batch is thrown by its wait, and no handle is lost") {
  MockRuntime runtime({.thorough = true, .throws = true});
  const auto world = runtime.world();
  std::vector<int> in(4);
  std::vector<int> out(4, 3);
  Batch batch;
  batch.irecv(in, 0, 1);
  const unsigned line = __LINE__ + 1;
  batch.irecv(std::span(in).first(2), 0, 2);
  batch.isend(out, 0, 1);
  batch.isend(std::span(out).first(2), 0, 2);
  BatchWork works = world.post(std::move(batch));
  const Error error = error_of([&] { works.wait(); });
  REQUIRE(error.code() == Errc::finding);
  REQUIRE(error.where().line() == line);
  works.wait();  // told once
  REQUIRE(runtime.findings.take().size() == 1);
}
