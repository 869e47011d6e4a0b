// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/type_map.hpp"

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace waybill::transport::mpi {

namespace {

using Block = registry::BlockList::Block;

/// A type map under construction: blocks in the order of the type's definition.
struct Map {
  std::vector<Block> blocks;
  MPI_Aint extent = 0;

  bool push(std::ptrdiff_t offset, std::size_t bytes) {
    if (bytes == 0) return true;
    if (!blocks.empty() &&
        blocks.back().offset + static_cast<std::ptrdiff_t>(blocks.back().bytes) == offset) {
      blocks.back().bytes += bytes;
      return true;
    }
    if (blocks.size() >= max_blocks) return false;
    blocks.push_back({offset, bytes});
    return true;
  }

  /// @p count copies of @p element, one extent apart, from @p offset on.
  bool place(const Map& element, std::ptrdiff_t offset, std::ptrdiff_t count) {
    if (element.blocks.size() == 1 &&
        static_cast<MPI_Aint>(element.blocks[0].bytes) == element.extent) {
      return push(offset + element.blocks[0].offset,
                  static_cast<std::size_t>(count) * element.blocks[0].bytes);
    }
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      for (const Block& block : element.blocks) {
        if (!push(offset + i * element.extent + block.offset, block.bytes)) return false;
      }
    }
    return true;
  }
};

std::optional<Map> take_apart(MPI_Datatype type);

/// The arguments with which a derived type was made; owns the inner types.
class Contents {
 public:
  Contents(MPI_Datatype type, int integers, int addresses, int types)
      : integers_(static_cast<std::size_t>(integers)),
        addresses_(static_cast<std::size_t>(addresses)),
        types_(static_cast<std::size_t>(types), MPI_DATATYPE_NULL) {
    valid_ = MPI_Type_get_contents(type, integers, addresses, types, integers_.data(),
                                   addresses_.data(), types_.data()) == MPI_SUCCESS;
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;
  ~Contents() {
    if (!valid_) return;
    for (MPI_Datatype& type : types_) {
      int i = 0;
      int a = 0;
      int d = 0;
      int combiner = MPI_COMBINER_NAMED;
      MPI_Type_get_envelope(type, &i, &a, &d, &combiner);
      if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&type);
    }
  }

  [[nodiscard]] bool valid() const noexcept { return valid_; }
  [[nodiscard]] std::ptrdiff_t integer(std::size_t i) const { return integers_.at(i); }
  [[nodiscard]] MPI_Aint address(std::size_t i) const { return addresses_.at(i); }
  [[nodiscard]] std::optional<Map> inner(std::size_t i) const { return take_apart(types_.at(i)); }

 private:
  std::vector<int> integers_;
  std::vector<MPI_Aint> addresses_;
  std::vector<MPI_Datatype> types_;
  bool valid_ = false;
};

bool vector_of(Map& map, const Contents& c, const Map& inner, std::ptrdiff_t stride_bytes) {
  for (std::ptrdiff_t i = 0; i < c.integer(0); ++i) {
    if (!map.place(inner, i * stride_bytes, c.integer(1))) return false;
  }
  return true;
}

/// Blocks at displacements: lengths in integers 1.., displacements after them.
bool indexed_of(Map& map, const Contents& c, const Map& inner, bool in_bytes) {
  const auto count = static_cast<std::size_t>(c.integer(0));
  for (std::size_t i = 0; i < count; ++i) {
    const std::ptrdiff_t offset = in_bytes ? c.address(i) : c.integer(1 + count + i) * inner.extent;
    if (!map.place(inner, offset, c.integer(1 + i))) return false;
  }
  return true;
}

bool indexed_block_of(Map& map, const Contents& c, const Map& inner, bool in_bytes) {
  const auto count = static_cast<std::size_t>(c.integer(0));
  for (std::size_t i = 0; i < count; ++i) {
    const std::ptrdiff_t offset = in_bytes ? c.address(i) : c.integer(2 + i) * inner.extent;
    if (!map.place(inner, offset, c.integer(1))) return false;
  }
  return true;
}

bool struct_of(Map& map, const Contents& c) {
  const auto count = static_cast<std::size_t>(c.integer(0));
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<Map> inner = c.inner(i);
    if (!inner || !map.place(*inner, c.address(i), c.integer(1 + i))) return false;
  }
  return true;
}

/// MPI 3.1 section 4.1.3: sizes, subsizes, starts, order.
bool subarray_of(Map& map, const Contents& c, const Map& inner) {
  const auto dimensions = static_cast<std::size_t>(c.integer(0));
  std::vector<std::ptrdiff_t> size(dimensions);
  std::vector<std::ptrdiff_t> length(dimensions);
  std::vector<std::ptrdiff_t> start(dimensions);
  const bool c_order = c.integer(1 + 3 * dimensions) == MPI_ORDER_C;
  for (std::size_t d = 0; d < dimensions; ++d) {  // [0] varies fastest
    const std::size_t from = c_order ? dimensions - 1 - d : d;
    size[d] = c.integer(1 + from);
    length[d] = c.integer(1 + dimensions + from);
    start[d] = c.integer(1 + 2 * dimensions + from);
  }
  std::vector<std::ptrdiff_t> index(dimensions, 0);
  while (true) {
    std::ptrdiff_t element = 0;
    for (std::size_t d = dimensions; d-- > 0;) element = element * size[d] + start[d] + index[d];
    if (!map.place(inner, element * inner.extent, length[0])) return false;
    std::size_t d = 1;
    while (d < dimensions && ++index[d] == length[d]) index[d++] = 0;
    if (d >= dimensions) return true;
  }
}

bool assemble(Map& map, const Contents& c, int combiner) {
  if (combiner == MPI_COMBINER_STRUCT) return struct_of(map, c);
  const std::optional<Map> inner = c.inner(0);
  if (!inner) return false;
  switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: return map.place(*inner, 0, 1);
    case MPI_COMBINER_CONTIGUOUS: return map.place(*inner, 0, c.integer(0));
    case MPI_COMBINER_VECTOR: return vector_of(map, c, *inner, c.integer(2) * inner->extent);
    case MPI_COMBINER_HVECTOR: return vector_of(map, c, *inner, c.address(0));
    case MPI_COMBINER_INDEXED: return indexed_of(map, c, *inner, false);
    case MPI_COMBINER_HINDEXED: return indexed_of(map, c, *inner, true);
    case MPI_COMBINER_INDEXED_BLOCK: return indexed_block_of(map, c, *inner, false);
    case MPI_COMBINER_HINDEXED_BLOCK: return indexed_block_of(map, c, *inner, true);
    case MPI_COMBINER_SUBARRAY: return subarray_of(map, c, *inner);
    default: return false;  // darray and the Fortran kinds
  }
}

std::optional<Map> take_apart(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  MPI_Aint lower = 0;
  Map map;
  if (MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS ||
      MPI_Type_get_extent(type, &lower, &map.extent) != MPI_SUCCESS) {
    return std::nullopt;
  }
  if (combiner == MPI_COMBINER_NAMED) {
    MPI_Aint true_lower = 0;
    MPI_Aint true_extent = 0;
    MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    map.push(true_lower, static_cast<std::size_t>(true_extent));
    return map;
  }
  const Contents contents(type, integers, addresses, types);
  if (!contents.valid() || !assemble(map, contents, combiner)) return std::nullopt;
  return map;
}

using Remembered = std::shared_ptr<const registry::BlockList>;

std::mutex key_mutex;
int key = MPI_KEYVAL_INVALID;

int forget(MPI_Datatype /*type*/, int /*keyval*/, void* value, void* /*state*/) {
  delete static_cast<Remembered*>(value);
  return MPI_SUCCESS;
}

}  // namespace

std::shared_ptr<const registry::BlockList> block_list(MPI_Datatype type) {
  const std::lock_guard lock(key_mutex);
  if (key == MPI_KEYVAL_INVALID &&
      MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &key, nullptr) != MPI_SUCCESS) {
    return nullptr;
  }
  void* value = nullptr;
  int found = 0;
  if (MPI_Type_get_attr(type, key, &value, &found) == MPI_SUCCESS && found != 0) {
    return *static_cast<Remembered*>(value);
  }
  std::optional<Map> map = take_apart(type);
  Remembered list;
  if (map) list = registry::make_block_list(std::move(map->blocks), map->extent);
  auto kept = std::make_unique<Remembered>(list);
  if (MPI_Type_set_attr(type, key, kept.get()) == MPI_SUCCESS) static_cast<void>(kept.release());
  return list;
}

void forget_type_maps() noexcept {
  const std::lock_guard lock(key_mutex);
  if (key != MPI_KEYVAL_INVALID) MPI_Type_free_keyval(&key);
}

}  // namespace waybill::transport::mpi
