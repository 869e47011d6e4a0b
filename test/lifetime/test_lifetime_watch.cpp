// SPDX-License-Identifier: BSD-3-Clause
#include "lifetime/lifetime_watch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "registry/content/content_watch.hpp"
#include "registry/footprint.hpp"
#include "registry/kept_findings.hpp"
#include "support/catch.hpp"

using namespace waybill;
using namespace waybill::registry;
using lifetime::Hook;

namespace {

/// Stands for the preloaded library.
std::atomic<const Hook*> installed{nullptr};
unsigned install(const Hook* hook) {
  installed.store(hook);
  return lifetime::blocks | lifetime::mappings;
}

std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// What the preloaded library does. True if somebody minded.
bool lose(waybill::lifetime::Call call, const void* memory, std::size_t bytes,
          std::size_t lost_from = 0) {
  const Hook* const hook = installed.load();
  if (hook == nullptr || hook->watched->load() == 0) return false;
  const std::uintptr_t begin = address(memory);
  if (!hook->may_matter(begin, begin + bytes)) return false;
  void* const found = hook->find(begin, begin + bytes);
  if (found == nullptr) return false;
  hook->tell(found, call, begin + lost_from, begin + bytes);
  return true;
}

struct Fixture {
  waybill::test::KeptFindings sink;
  Registry registry{0, 2, sink};
  lifetime::LifetimeWatch watch{registry, install};
  ContentWatch content{registry, with_held()};
  std::vector<char> buffer = std::vector<char>(4096);
  Record record;

  [[nodiscard]] ContentOptions with_held() const {
    ContentOptions options;
    options.held = watch.held();
    return options;
  }
  void post(Kind kind, std::size_t from = 0, std::size_t bytes = 4096) {
    record.footprint = contiguous_footprint(buffer.data() + from, bytes);
    record.site = {"heat.cpp", "exchange", 88};
    ++record.sequence;
    record.kind = kind;
    record.access = kind == Kind::send ? Access::read : Access::write;
    ContentWatch::prepare(record);
    registry.post(record);
    BufferShape shape;
    shape.address = buffer.data() + from;
    shape.columns = bytes;
    static_cast<void>(content.begin(record, shape));
  }
  void end() {
    registry.release(record);
    content.check(record, nullptr);
    content.deliver(record, record.footprint.end - record.footprint.begin);
    content.end(record);
  }
  [[nodiscard]] std::string only() const {
    REQUIRE(sink.findings.size() == 1);
    CHECK(sink.findings[0].kind == FindingKind::buffer_lifetime);
    CHECK(sink.findings[0].site.line == 88);
    return sink.findings[0].what;
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture,
                 "a buffer that is freed while it is in flight is told once, and nothing else is") {
  for (const Kind kind : {Kind::send, Kind::receive}) {
    sink.findings.clear();
    post(kind);
    CHECK(lose(waybill::lifetime::Call::free, buffer.data(), buffer.size()));
    CHECK(only().find("was freed while it was in flight") != std::string::npos);
    buffer[17] = 'x';  // as an allocator does
    lose(waybill::lifetime::Call::free, buffer.data(), buffer.size());
    end();
    CHECK(sink.findings.size() == 1);
    CHECK(buffer[17] == 'x');  // what was received is not written there

    buffer[17] = 0;
    sink.findings.clear();
    post(kind);  // the twin, with the same record
    end();
    CHECK_FALSE(lose(waybill::lifetime::Call::free, buffer.data(), buffer.size()));
    CHECK(sink.findings.empty());
  }
}

TEST_CASE_METHOD(Fixture, "each call is named") {
  const std::vector<std::pair<waybill::lifetime::Call, const char*>> all{
      {waybill::lifetime::Call::realloc, "moved or made smaller by realloc"},
      {waybill::lifetime::Call::munmap, "unmapped"},
      {waybill::lifetime::Call::mremap, "moved or made smaller by mremap"}};
  for (const auto& [call, text] : all) {
    sink.findings.clear();
    post(Kind::send);
    CHECK(lose(call, buffer.data(), buffer.size()));
    CHECK(only().find(text) != std::string::npos);
    end();
  }
}

TEST_CASE_METHOD(Fixture, "what goes without the buffer's bytes is none of its business") {
  post(Kind::send, 1024, 1024);
  CHECK_FALSE(lose(waybill::lifetime::Call::free, buffer.data(), 1024));
  CHECK_FALSE(lose(waybill::lifetime::Call::free, buffer.data() + 2048, 2048));
  lose(waybill::lifetime::Call::realloc, buffer.data(), 4096, 2048);  // the rest stays where it is
  lose(waybill::lifetime::Call::realloc, buffer.data(), 4096, 4096);  // nothing went
  CHECK(sink.findings.empty());
  CHECK(lose(waybill::lifetime::Call::realloc, buffer.data(), 4096, 2047));  // the last byte goes
  static_cast<void>(only());
  end();
}

TEST_CASE_METHOD(Fixture, "the gaps of strided views may go") {
  record.footprint = strided_footprint(buffer.data(), 4, 256, 1024);
  record.sequence = 1;
  ContentWatch::prepare(record);
  registry.post(record);
  static_cast<void>(content.begin(record, {}));
  lose(waybill::lifetime::Call::munmap, buffer.data() + 256, 768);
  CHECK(sink.findings.empty());
  lose(waybill::lifetime::Call::munmap, buffer.data() + 255, 768);
  CHECK(sink.findings.size() == 1);
  registry.release(record);
  content.end(record);
}

TEST_CASE_METHOD(Fixture,
                 "another thread that frees is seen too, and a child made by fork() is not") {
  post(Kind::receive);
  const pid_t child = fork();
  if (child == 0) {
    lifetime::forget_after_fork();
    _exit(lose(waybill::lifetime::Call::free, buffer.data(), buffer.size()) ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(sink.findings.empty());
  std::thread([&] { lose(waybill::lifetime::Call::free, buffer.data(), buffer.size()); }).join();
  static_cast<void>(only());
  end();
}

TEST_CASE("without a preloaded library nothing is counted, and after the end nobody is asked") {
  waybill::test::KeptFindings sink;
  Registry registry{0, 2, sink};
  const lifetime::LifetimeWatch none{registry, nullptr};
  CHECK(none.held() == nullptr);
  CHECK(none.sees() == lifetime::nothing);
  {
    const lifetime::LifetimeWatch watch{registry, install};
    CHECK(installed.load() != nullptr);
  }
  CHECK(installed.load() == nullptr);
}

TEST_CASE("threads free while others post, and while the end comes") {
  for (int round = 0; round < 20; ++round) {
    auto fixture = std::make_unique<Fixture>();
    const std::uintptr_t begin = address(fixture->buffer.data());
    const Hook* const hook = installed.load();  // as a thread may have got it before the end
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    for (std::uintptr_t i = 0; i < 3; ++i) {
      threads.emplace_back([&, mine = begin + i * 48] {
        while (!over.load()) {
          if (!hook->may_matter(mine, mine + 64)) continue;
          if (void* const found = hook->find(mine, mine + 64)) {
            hook->tell(found, waybill::lifetime::Call::free, mine, mine);  // nothing went
          }
        }
      });
    }
    for (int i = 0; i < 300; ++i) {
      fixture->post(Kind::receive, 0, i % 2 == 0 ? 64 : 4096);
      if (i < 299) fixture->end();
    }
    CHECK(fixture->sink.findings.empty());
    fixture->content.end(fixture->record);
    fixture.reset();  // they still ask
    over.store(true);
    for (std::thread& each : threads) each.join();
  }
}
