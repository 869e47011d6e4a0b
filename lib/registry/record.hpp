// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// An operation as plain data: all that the registry knows of one. It knows
/// neither Work nor MPI, so that anything that can fill in a Record can be watched.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "registry/block_list.hpp"
#include "registry/call.hpp"
#include "waybill/finding.hpp"

namespace waybill::registry {

enum class Kind : std::uint8_t { send, receive, collective };
enum class Access : std::uint8_t { read, write };

enum class Shape : std::uint8_t {
  unwatched,   ///< no bytes, or bytes that are not known
  contiguous,  ///< [begin, end)
  strided,     ///< rows of row_bytes, stride_bytes apart
  blocks,      ///< a block list, repeated every stride_bytes
};

/// The bytes of one operation, made by the functions of footprint.hpp. [begin, end)
/// bounds them, and both ends are touched.
struct Footprint {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::size_t count = 0;         ///< rows (strided), elements (blocks)
  std::size_t row_bytes = 0;     ///< strided: less than stride_bytes
  std::size_t stride_bytes = 0;  ///< strided, and blocks with count > 1
  std::shared_ptr<const BlockList> blocks;
  Shape shape = Shape::unwatched;
};

struct Record;

/// A Record's place in one bucket of the byte index. A copy is in no bucket.
struct IndexLink {
  IndexLink() noexcept = default;
  IndexLink(const IndexLink& /*other*/) noexcept {}
  IndexLink& operator=(const IndexLink& /*other*/) noexcept { return *this; }
  ~IndexLink() = default;

  IndexLink* next = nullptr;
  IndexLink** previous = nullptr;  ///< the pointer that points here
  Record* record = nullptr;        ///< null when not linked
};

/// Must stay where it is and unchanged between Registry::post and release.
/// The byte index looks at the first 64 bytes only: cheapest if aligned to 64.
struct Record {
  IndexLink links[2];  ///< owned by the byte index
  Footprint footprint;
  PostingSite site;
  std::uint64_t sequence = 0;     ///< of the post, counted in this process from 1
  std::size_t bytes = 0;          ///< of the buffer
  const char* communicator = "";  ///< its name, static or as long-lived as the registry
  int peer = 0;                   ///< rank in the communicator, or -1 for any; or the root
  int tag = 0;                    ///< or -1 for any; of a collective its number, see CallOrder
  Kind kind = Kind::send;
  Access access = Access::read;
  Call call = Call::barrier;  ///< of a collective; else without meaning
  std::uint8_t started = 0;   ///< of a persistent operation, see start_sites.hpp; else 0
  std::uint32_t content = 0;  ///< owned by ContentWatch
};
static_assert(sizeof(Record) <= 200);

}  // namespace waybill::registry
