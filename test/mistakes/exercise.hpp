// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What all programs of this folder share: the command line, neighbours in a ring, and memory of
/// the size and shape that is asked for.
///
///   PROGRAM mistake|correct BYTES contiguous|strided
///
/// Each program says on top which finding its mistake is and marks the posting line that this must
/// name: `// <- named`, and `// <- other` where there is a second one. matrix.py reads that.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "waybill/waybill.hpp"

namespace mistakes {

struct Exercise {
  bool mistake;
  std::size_t bytes;
  bool strided;
};

inline Exercise exercise(int argc, char** argv) {
  if (argc == 4) {
    const bool mistake = std::strcmp(argv[1], "mistake") == 0;
    const bool strided = std::strcmp(argv[3], "strided") == 0;
    const std::size_t bytes = std::strtoull(argv[2], nullptr, 10);
    const bool known = (mistake || std::strcmp(argv[1], "correct") == 0) &&
                       (strided || std::strcmp(argv[3], "contiguous") == 0);
    if (known && bytes >= 64 && bytes % 64 == 0) return {mistake, bytes, strided};
  }
  std::fprintf(stderr,
               "use: %s mistake|correct BYTES contiguous|strided; BYTES is a multiple of 64\n",
               argv[0]);
  std::exit(2);
}

struct Ring {
  explicit Ring(const waybill::Communicator& comm)
      : next((comm.rank() + 1) % comm.size()),
        previous((comm.rank() + comm.size() - 1) % comm.size()) {}
  int next;
  int previous;
};

/// A part of a Memory, as a buffer to send from and to receive into.
class Part {
 public:
  explicit Part(const waybill::StridedView<double>& view) : view_(view) {}
  operator waybill::SendBuffer() const {  // NOLINT(google-explicit-constructor)
    return waybill::SendBuffer(shape());
  }
  operator waybill::RecvBuffer() const {  // NOLINT(google-explicit-constructor)
    return waybill::RecvBuffer(shape());
  }
  /// The last one is far from the first on all but the smallest.
  [[nodiscard]] double& last() const {
    return view_.first[(view_.rows - 1) * view_.row_stride + view_.columns - 1];
  }

 private:
  [[nodiscard]] waybill::BufferShape shape() const {
    if (view_.row_stride != view_.columns) return waybill::SendBuffer(view_).shape();
    return waybill::SendBuffer(std::span(view_.first, view_.rows * view_.columns)).shape();
  }
  waybill::StridedView<double> view_;
};

/// Room for two messages. They lie one behind the other or, strided, side by side: rows of 32 B,
/// of which the first 16 B belong to the one and the others to the other.
class Memory {
 public:
  explicit Memory(const Exercise& exercise)
      : rows_(exercise.bytes / row_bytes), strided_(exercise.strided), doubles_(rows_ * 4) {}

  /// One message, or a part of its rows.
  [[nodiscard]] Part part(std::size_t number = 0) { return part(number, rows_); }
  [[nodiscard]] Part half() { return part(0, rows_ / 2); }

 private:
  static constexpr std::size_t row_bytes = 2 * sizeof(double);
  [[nodiscard]] Part part(std::size_t number, std::size_t rows) {
    if (strided_) return Part({doubles_.data() + 2 * number, rows, 2, 4});
    return Part({doubles_.data() + 2 * rows_ * number, rows, 2, 2});
  }
  std::size_t rows_;
  bool strided_;
  std::vector<double> doubles_;
};

/// Returns once all other ranks are here too, and messages between any two ranks that were
/// received before are behind both.
inline void meet(const waybill::Communicator& comm) {
  constexpr int tag = 9999;
  for (int peer = 0; peer < comm.size(); ++peer) {
    if (peer == comm.rank()) continue;
    int mine = 0;
    int theirs = 0;
    comm.sendrecv(waybill::value(mine), peer, waybill::value(theirs), peer, tag);
  }
}

}  // namespace mistakes
