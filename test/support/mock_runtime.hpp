// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Everything a Runtime owns, on the mock transport: the public calls work
/// without MPI and without a launcher.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "communicator/directory.hpp"
#include "engine/engine.hpp"
#include "operation/context.hpp"
#include "operation/lifecycle.hpp"
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
  bool throws = false;  ///< findings; wants thorough
};

class MockRuntime {
 public:
  using Life = waybill::operation::Life;

  explicit MockRuntime(const MockOptions& options = {})
      : transport(options.seed, options.most_looks),
        registry(0, 1, findings),
        content(options.content ? std::make_unique<waybill::registry::ContentWatch>(registry)
                                : nullptr),
        engine(transport, engine_options(options)),
        context{transport,
                engine,
                registry,
                options.check,
                {},
                options.thorough || options.content,
                content.get(),
                options.throws ? &unthrown : nullptr},
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
  waybill::engine::Engine engine;
  waybill::operation::Context context;

 private:
  static waybill::engine::EngineOptions engine_options(const MockOptions& options) {
    waybill::operation::epoch.fetch_add(1);
    waybill::engine::EngineOptions engine;
    engine.thread = options.thread;
    return engine;
  }

 public:
  waybill::communicator::Directory directory;
};

}  // namespace test_support
