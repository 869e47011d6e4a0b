// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "communicator/post.hpp"
#include "operation/finding_error.hpp"
#include "operation/lifecycle.hpp"

namespace waybill::communicator {

namespace {

std::string peer_text(const Post& post) {
  if (post.peer == any_source) return "from any source";
  if (post.peer == null_rank) return "with no peer";
  return fmt::format("{} rank {}", post.kind == registry::Kind::send ? "to" : "from", post.peer);
}

/// "isend to rank 7, tag 3 (heat.cpp:88 in exchange)"
std::string head(const Post& post) {
  std::string_view file = post.where.file_name();
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  return fmt::format("{} {}, tag {} ({}:{} in {})", post.routine, peer_text(post),
                     post.tag == any_tag ? "any" : std::to_string(post.tag), file,
                     post.where.line(), post.where.function_name());
}

std::string rank_reason(const Post& post) {
  const CommunicatorState& state = *post.state;
  if (post.kind == registry::Kind::send && post.peer == any_source) {
    return "a send needs a destination; any_source is for receives";
  }
  return fmt::format("rank {} is outside communicator '{}', which has {} rank{}: use 0 .. {}",
                     post.peer, state.name, state.size, state.size == 1 ? "" : "s", state.size - 1);
}

std::string tag_reason(const Post& post) {
  if (post.kind == registry::Kind::send && post.tag == any_tag) {
    return "a send needs a tag; any_tag is for receives";
  }
  return fmt::format("tag {} is outside 0 .. {}, the range of this MPI library", post.tag,
                     post.state->tag_upper_bound);
}

std::string buffer_reason(const Post& post) {
  const BufferShape& buffer = post.buffer;
  if (buffer.in_place) return "in_place is for collectives; a message needs a buffer";
  if (buffer.address == nullptr && buffer.elements() != 0) {
    return fmt::format("the buffer is a null pointer, but has {} elements", buffer.elements());
  }
  if (buffer.rows > 1 && buffer.stride_bytes < buffer.columns * buffer.element_bytes) {
    return fmt::format(
        "rows of {} B that are {} B apart overlap each other; a receive would write "
        "bytes twice",
        buffer.columns * buffer.element_bytes, buffer.stride_bytes);
  }
  return "the buffer is larger than the address space";
}

std::string reason(const Post& post, Errc code) {
  switch (code) {
    case Errc::invalid_rank: return rank_reason(post);
    case Errc::invalid_tag: return tag_reason(post);
    case Errc::invalid_buffer: return buffer_reason(post);
    case Errc::wildcard_refused:
      return "this communicator was created with exact_matching: name source and tag, or create it "
             "without";
    case Errc::wrong_thread:
      return "MPI was initialised for calls from the main thread only; start it with "
             "MPI_THREAD_MULTIPLE";
    case Errc::empty_handle: return "the communicator is empty or was freed";
    default: return make_error_code(code).message();
  }
}

}  // namespace

Error refusal_error(const Post& post, const Refusal& refusal) {
  if (refusal.finding != nullptr) return operation::finding_error(*refusal.finding, post.routine);
  const auto code = static_cast<Errc>(refusal.code.value());
  if (code == Errc::not_running || code == Errc::forked_child) {
    return operation::not_running_error(post.routine, post.where);
  }
  ErrorDetail detail;
  detail.peer = post.peer;
  detail.tag = post.tag;
  detail.where = post.where;
  if (refusal.failure == nullptr) {
    detail.routine = post.routine;
    detail.what = fmt::format("{}: {}", head(post), reason(post, code));
  } else {
    detail.routine = refusal.failure->routine;
    detail.mpi_text = refusal.failure->text;
    detail.what = fmt::format("{}: {} failed: {}", head(post), refusal.failure->routine,
                              refusal.failure->text);
  }
  return Error(code, std::move(detail));
}

}  // namespace waybill::communicator
