// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/error.hpp"

namespace waybill {

namespace {

class Category final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "waybill"; }
  [[nodiscard]] std::string message(int code) const override {
    switch (static_cast<Errc>(code)) {
      case Errc::invalid_rank: return "rank outside the communicator";
      case Errc::invalid_tag: return "tag outside 0 .. tag_upper_bound()";
      case Errc::invalid_buffer: return "not a usable buffer";
      case Errc::wildcard_refused: return "wildcard on an exact_matching communicator";
      case Errc::empty_handle: return "empty handle";
      case Errc::not_complete: return "operation not complete";
      case Errc::cannot_cancel_send: return "a send cannot be cancelled";
      case Errc::truncated: return "message longer than the buffer";
      case Errc::cancelled: return "receive was cancelled";
      case Errc::not_running: return "no Runtime is running";
      case Errc::already_running: return "a Runtime is running already";
      case Errc::forked_child: return "call in a forked child";
      case Errc::wrong_thread: return "MPI allows calls from its main thread only";
      case Errc::invalid_option: return "invalid option value";
      case Errc::transport: return "MPI call failed";
      case Errc::cannot_cancel_collective: return "a collective cannot be cancelled";
      case Errc::invalid_reduction: return "operator not defined for the elements";
      case Errc::reduction_failed: return "the program's operator threw";
      case Errc::invalid_blocks: return "blocks that do not fit the ranks or the buffer";
      case Errc::collective_mismatch: return "ranks made different collective calls";
      case Errc::finding: return "a mistake was found";
    }
    return "unknown error";
  }
};

}  // namespace

const std::error_category& category() noexcept {
  static const Category instance;
  return instance;
}

Error::Error(Errc code, ErrorDetail detail)
    : std::system_error(make_error_code(code)),
      detail_(std::make_shared<const ErrorDetail>(std::move(detail))) {}

const char* Error::what() const noexcept { return detail_->what.c_str(); }
const std::string& Error::routine() const noexcept { return detail_->routine; }
const std::string& Error::mpi_text() const noexcept { return detail_->mpi_text; }
std::optional<int> Error::peer() const noexcept { return detail_->peer; }
std::optional<int> Error::tag() const noexcept { return detail_->tag; }
const SourceLocation& Error::where() const noexcept { return detail_->where; }

}  // namespace waybill
