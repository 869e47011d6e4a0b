// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/before_finalize.hpp"

#include <mpi.h>

#include <memory>
#include <utility>

#include "transport/mpi/check.hpp"

namespace waybill::transport::mpi {

struct BeforeFinalize::Call {
  std::function<void()> function;  // empty: taken back
  bool running = false;

  static int on_delete(MPI_Comm /*self*/, int /*key*/, void* value, void* /*state*/) {
    const std::unique_ptr<Call> call(static_cast<Call*>(value));
    call->running = true;
    // moved out, since the call may destroy the BeforeFinalize
    if (const auto function = std::exchange(call->function, nullptr)) function();
    return MPI_SUCCESS;
  }
};

BeforeFinalize::BeforeFinalize(std::function<void()> call) {
  require(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, Call::on_delete, &key_, nullptr),
          "MPI_Comm_create_keyval");
  auto owned = std::make_unique<Call>(Call{std::move(call)});
  require(MPI_Comm_set_attr(MPI_COMM_SELF, key_, owned.get()), "MPI_Comm_set_attr");
  call_ = owned.release();
}

BeforeFinalize::~BeforeFinalize() {
  if (call_->running) return;  // MPI is deleting the attribute at this moment
  call_->function = nullptr;
  MPI_Comm_delete_attr(MPI_COMM_SELF, key_);
  MPI_Comm_free_keyval(&key_);
}

}  // namespace waybill::transport::mpi
