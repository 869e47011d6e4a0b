// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Operations in words, for findings and errors.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "registry/record.hpp"

namespace waybill::registry {

/// `isend`, `irecv`, or the collective's name.
[[nodiscard]] const char* call_name(const Record& record) noexcept;

/// `isend #12 to rank 1, tag 3, 64 B (heat.cpp:88 in exchange)`,
/// `broadcast_async #12, root 0, collective 3, 64 B (heat.cpp:88 in exchange)`
/// Of a persistent operation `... (heat.cpp:12 in setup, started at heat.cpp:88 in exchange)`.
std::string describe(const Record& record);

/// `isend #12 (heat.cpp:88 in exchange)`, where peer, tag and size are told otherwise.
std::string describe_briefly(const Record& record);

/// `heat.cpp:88 in exchange`, without directories.
std::string describe(const PostingSite& site);

/// `heat.cpp:88`
std::string file_and_line(const PostingSite& site);

/// `rank 3`, `any source` for -1, or `no peer` for less.
std::string describe_peer(int peer);

/// `tag 3`, or `any tag` for -1.
std::string describe_tag(int tag);

/// `100 B`, `65536 B (64 KiB)`: the exact number, and the largest binary unit
/// of which it is a whole multiple.
std::string describe_bytes(std::size_t bytes);

/// `250 ms`, `12.3 s`
std::string describe_time(std::chrono::milliseconds time);

/// `rank 0 sent 64 B with tag 3`, as far as it is known.
std::string describe_message(int source, int tag, const std::string& size);

/// `irecv #7 (heat.cpp:88 in exchange): rank 0 sent 64 B with tag 3, the buffer holds 32 B`
std::string describe_truncation(const Record& record, int source, int tag,
                                std::optional<std::size_t> sent_bytes);

}  // namespace waybill::registry
