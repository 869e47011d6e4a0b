// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The one exception of this library, over std::error_code.

#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "waybill/config.hpp"
#include "waybill/source_location.hpp"

namespace waybill {

enum class Errc {
  invalid_rank = 1,    ///< peer outside the communicator
  invalid_tag,         ///< negative, or above Communicator::tag_upper_bound()
  invalid_buffer,      ///< null memory with a count, rows that overlap each other
  wildcard_refused,    ///< any_source or any_tag on an exact_matching communicator
  empty_handle,        ///< Work that was moved from, detached, taken or never filled
  not_complete,        ///< status asked of an operation in flight
  cannot_cancel_send,  ///< MPI 3.1 section 3.8.4 deprecates it; libraries disagree
  truncated,           ///< the message is longer than the buffer
  cancelled,           ///< the receive was cancelled before it matched
  not_running,         ///< no Runtime exists, or it was shut down
  already_running,     ///< a second Runtime
  forked_child,        ///< a call in a child made by fork(): MPI does not survive it
  wrong_thread,        ///< MPI's thread level allows calls from one thread only
  invalid_option,      ///< a value that an option does not know, or a call that makes no sense
  transport,           ///< MPI refused or failed: see Error::mpi_text()
  cannot_cancel_collective,  ///< MPI 3.1 section 5.12 allows it not
  invalid_reduction,         ///< an operator that is not defined for the elements
  reduction_failed,          ///< the program's operator threw: see Error::mpi_text()
  invalid_blocks,            ///< counts or displacements that do not fit the ranks or the buffer
  collective_mismatch,       ///< ranks made different calls, see Options::peer
  finding,                   ///< a finding, with FindingPolicy::throw_error; where() is its post
};

WAYBILL_API const std::error_category& category() noexcept;
inline std::error_code make_error_code(Errc code) noexcept {
  return {static_cast<int>(code), category()};
}

/// What is known about a failure.
struct ErrorDetail {
  std::string what;      ///< what happened, where it was posted, what to do
  std::string routine;   ///< the Waybill or MPI call that failed
  std::string mpi_text;  ///< MPI_Error_string's text, empty if MPI was not asked
  std::optional<int> peer;
  std::optional<int> tag;
  SourceLocation where;  ///< the post
};

/// Thrown by every throwing call. Its what() is the whole message in one line.
class WAYBILL_API Error : public std::system_error {
 public:
  Error(Errc code, ErrorDetail detail);

  [[nodiscard]] const char* what() const noexcept override;
  [[nodiscard]] const std::string& routine() const noexcept;
  [[nodiscard]] const std::string& mpi_text() const noexcept;
  [[nodiscard]] std::optional<int> peer() const noexcept;
  [[nodiscard]] std::optional<int> tag() const noexcept;
  [[nodiscard]] const SourceLocation& where() const noexcept;

 private:
  std::shared_ptr<const ErrorDetail> detail_;  // shared: copying an exception must not throw
};

}  // namespace waybill

template <>
struct std::is_error_code_enum<waybill::Errc> : std::true_type {};
