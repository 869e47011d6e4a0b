// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Everything a Runtime owns, on the mock transport: the public calls work
/// without MPI and without a launcher.

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "communicator/directory.hpp"
#include "engine/engine.hpp"
#include "operation/context.hpp"
#include "operation/lifecycle.hpp"
#include "operation/stall_watch.hpp"
#include "registry/registry.hpp"
#include "support/mock_transport.hpp"

namespace test_support {

/// Remembers findings.
class FindingList final : public waybill::registry::Sink {
 public:
  void report(waybill::Finding&& finding) noexcept override {
    if (unthrown != nullptr) unthrown->keep(finding, waybill::registry::Thrower::this_thread);
    const std::lock_guard lock(mutex_);
    findings_.push_back(std::move(finding));
  }
  [[nodiscard]] std::vector<waybill::Finding> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(findings_, {});
  }

  waybill::registry::Unthrown* unthrown = nullptr;  ///< keeps them too

 private:
  std::mutex mutex_;
  std::vector<waybill::Finding> findings_;
};

struct MockOptions {
  std::uint64_t seed = 1;
  unsigned most_looks = 8;
  bool thread = true;
  bool check = true;
  bool thorough = false;
  bool content = false;
  std::chrono::milliseconds stall_timeout{0};  // 0: none
  bool throws = false;                         ///< findings; wants thorough
};

class MockRuntime {
 public:
  using Life = waybill::operation::Life;

  explicit MockRuntime(const MockOptions& options = {})
      : transport(options.seed, options.most_looks),
        registry(0, 1, findings),
        content(options.content ? std::make_unique<waybill::registry::ContentWatch>(registry)
                                : nullptr),
        stalls(options.stall_timeout.count() == 0
                   ? nullptr
                   : std::make_unique<waybill::operation::StallWatch>(registry,
                                                                      options.stall_timeout)),
        engine(transport, engine_options(options, stalls.get())),
        context{.transport = transport,
                .engine = engine,
                .registry = registry,
                .check = options.check,
                .thorough = options.thorough || content != nullptr || stalls != nullptr,
                .stalls = stalls.get(),
                .content = content.get(),
                .unthrown = options.throws ? &unthrown : nullptr},
        directory(context, channels) {
    findings.unthrown = context.unthrown;
    waybill::operation::life.store(Life::running, std::memory_order_release);
  }
  MockRuntime(const MockRuntime&) = delete;
  MockRuntime& operator=(const MockRuntime&) = delete;
  ~MockRuntime() {
    engine.stop();
    while (engine.adopted() != 0) engine.assist();
    waybill::operation::life.store(Life::stopped, std::memory_order_release);
  }

  [[nodiscard]] waybill::Communicator world() const { return waybill::Communicator::world(); }

  waybill::registry::Unthrown unthrown;
  FindingList findings;
  MockTransport transport;
  MockChannels channels;
  waybill::registry::Registry registry;
  std::unique_ptr<waybill::registry::ContentWatch> content;
  std::unique_ptr<waybill::operation::StallWatch> stalls;
  waybill::engine::Engine engine;
  waybill::operation::Context context;

 private:
  static waybill::engine::EngineOptions engine_options(const MockOptions& options,
                                                       waybill::operation::StallWatch* stalls) {
    waybill::operation::epoch.fetch_add(1);
    waybill::engine::EngineOptions engine;
    engine.thread = options.thread;
    if (stalls != nullptr) engine.chore = [stalls] { stalls->look_if_due(); };
    return engine;
  }

 public:
  waybill::communicator::Directory directory;
};

}  // namespace test_support
