// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Where a message lands before the program's buffer has it, so that only the program can
/// have written into the buffer until then.

#include <cstddef>

#include "registry/content/seal.hpp"
#include "registry/record.hpp"
#include "waybill/buffer.hpp"

namespace waybill::registry {

/// Not for several threads at once.
class Shadow {
 public:
  /// A place for what @p buffer describes, whose bytes are @p footprint. The rows of a
  /// strided view lie side by side in it; what an MPI_Datatype picks lies as in the buffer,
  /// with the buffer's contents around it. False without memory, or if the place would be
  /// much larger than the data.
  [[nodiscard]] bool take(const Footprint& footprint, const BufferShape& buffer,
                          std::size_t touched, ContentMemory& memory) noexcept;
  [[nodiscard]] bool taken() const noexcept { return place_.data() != nullptr; }
  /// What the transport is to fill instead of @p buffer.
  [[nodiscard]] BufferShape instead_of(const BufferShape& buffer,
                                       const Footprint& footprint) const noexcept;
  /// Moves the first @p bytes of a message into the buffer, which must be there; see
  /// CarefulAccess.
  void deliver(const Footprint& footprint, std::size_t bytes) const noexcept;
  void give_back(ContentMemory& memory) noexcept { place_.give_back(memory); }

 private:
  ContentBytes place_;
  bool packed_ = true;  // else as in the buffer, from its first byte to its last
};

}  // namespace waybill::registry
