// SPDX-License-Identifier: BSD-3-Clause
#include "communicator/peer/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "registry/describe.hpp"
#include "transport/operators.hpp"

namespace waybill::communicator {

namespace {

using registry::Call;
using transport::Collective;

template <std::size_t size>
void copy(std::string_view text, char (&to)[size]) noexcept {
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.begin(), length, to);
  to[length] = '\0';
}

/// The buffer that tells what kind of elements there are.
const BufferShape* telling(const Collective& call) noexcept {
  for (const BufferShape* buffer : {&call.contribution, &call.result}) {
    if (!buffer->in_place && buffer->elements() != 0) return buffer;
  }
  return nullptr;
}

std::uint8_t element_of(const BufferShape* buffer) noexcept {
  if (buffer == nullptr || buffer->element == Element::native) return Signature::none;
  const Element element = buffer->element == Element::opaque ? Element::byte : buffer->element;
  return static_cast<std::uint8_t>(element);
}

/// What goes between two ranks, or into a reduction.
std::uint64_t common_bytes(const Collective& call) noexcept {
  const auto ranks = static_cast<std::uint64_t>(call.ranks);
  const BufferShape& from = call.contribution;
  const BufferShape& into = call.result;
  switch (call.call) {
    case Call::broadcast: return std::max(from.bytes(), into.bytes());
    case Call::gather:
    case Call::allgather: return from.in_place ? into.bytes() / ranks : from.bytes();
    case Call::scatter: return into.in_place ? from.bytes() / ranks : into.bytes();
    case Call::alltoall: return into.bytes() / ranks;
    case Call::reduce:
    case Call::allreduce:
    case Call::reduce_scatter_block:
    case Call::scan:
    case Call::exscan: return from.in_place ? into.bytes() : from.bytes();
    default: return 0;
  }
}

const char* name(Element element) noexcept {
  switch (element) {
    case Element::byte: return "byte";
    case Element::char_: return "char";
    case Element::signed_char: return "signed char";
    case Element::unsigned_char: return "unsigned char";
    case Element::bool_: return "bool";
    case Element::short_: return "short";
    case Element::unsigned_short: return "unsigned short";
    case Element::int_: return "int";
    case Element::unsigned_int: return "unsigned int";
    case Element::long_: return "long";
    case Element::unsigned_long: return "unsigned long";
    case Element::long_long: return "long long";
    case Element::unsigned_long_long: return "unsigned long long";
    case Element::float_: return "float";
    case Element::double_: return "double";
    case Element::long_double: return "long double";
    case Element::float_complex: return "complex float";
    case Element::double_complex: return "complex double";
    case Element::float16: return "float16";
    case Element::bfloat16: return "bfloat16";
    case Element::opaque:
    case Element::native: break;
  }
  return "?";
}

std::string describe_operator(const Signature& call) {
  if (call.reduce == Signature::none) return {};
  if (call.reduce == Signature::own_operator) {
    return call.operands == static_cast<std::uint8_t>(Operands::in_any_order)
               ? ", an operator of its own"
               : ", an operator of its own in rank order";
  }
  return fmt::format(", {}", transport::name(static_cast<Reduce>(call.reduce)));
}

/// All that must be the same.
std::string describe(const Signature& call) {
  std::string text = registry::name(call.call);
  if (call.root >= 0) text += fmt::format(", root {}", call.root);
  text += describe_operator(call);
  if (call.call == Call::barrier || has_blocks(call.call)) return text;
  text += fmt::format(", {}", registry::describe_bytes(call.bytes));
  if (call.element != Signature::none) {
    text += fmt::format(" of {}", name(static_cast<Element>(call.element)));
  }
  return text;
}

std::string place(const Signature& call) {
  return fmt::format("{}:{} in {}", call.file, call.line, call.function);
}

bool same(const Signature& one, const Signature& other) noexcept {
  const bool elements = one.element == other.element || one.element == Signature::none ||
                        other.element == Signature::none;
  return elements && one.call == other.call && one.root == other.root &&
         one.reduce == other.reduce && one.operands == other.operands && one.bytes == other.bytes;
}

/// `rank 3`, `ranks 0-2`, `ranks 0, 2-3`
std::string describe_ranks(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += last == i ? std::to_string(ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[last]);
    i = last + 1;
  }
  return (ranks.size() == 1 ? "rank " : "ranks ") + text;
}

/// Ranks with the same call, the first of which stands for all.
std::vector<std::vector<int>> groups_of(const std::vector<Signature>& all) {
  std::vector<std::vector<int>> groups;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& ranks) {
      return same(all[static_cast<std::size_t>(ranks.front())], all[rank]);
    });
    if (group != groups.end()) group->push_back(static_cast<int>(rank));
    else groups.push_back({static_cast<int>(rank)});
  }
  return groups;
}

std::uint64_t block_bytes(const Blocks& blocks, const BufferShape& buffer, std::size_t rank) {
  return blocks.counts()[rank] * buffer.element_bytes;
}

}  // namespace

Signature signature_of(const Collective& call, const registry::Record& record) noexcept {
  Signature made;
  made.call = call.call;
  if (registry::has_root(call.call)) made.root = call.root;
  made.bytes = common_bytes(call);
  made.element = element_of(telling(call));
  if (call.reduction != nullptr) {
    const Combiner* const own = call.reduction->own().get();
    made.reduce = own == nullptr ? static_cast<std::uint8_t>(call.reduction->built_in())
                                 : Signature::own_operator;
    if (own != nullptr) made.operands = static_cast<std::uint8_t>(own->operands());
  }
  std::string_view file = record.site.file;
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  copy(file, made.file);
  copy(record.site.function, made.function);
  made.line = record.site.line;
  return made;
}

std::optional<std::string> difference(const std::vector<Signature>& all) {
  if (std::all_of(all.begin(), all.end(),
                  [&](const Signature& one) { return same(one, all[0]); })) {
    return std::nullopt;
  }
  std::string text;
  for (const std::vector<int>& ranks : groups_of(all)) {
    const Signature& call = all[static_cast<std::size_t>(ranks.front())];
    if (!text.empty()) text += "; ";
    text += fmt::format("{} called {} ({})", describe_ranks(ranks), describe(call), place(call));
  }
  return text;
}

bool has_blocks(Call call) noexcept {
  return call == Call::gatherv || call == Call::scatterv || call == Call::allgatherv ||
         call == Call::alltoallv || call == Call::reduce_scatter;
}

Traffic traffic_of(const Collective& call) {
  const auto ranks = static_cast<std::size_t>(call.ranks);
  const auto me = static_cast<std::size_t>(call.rank);
  const auto root = static_cast<std::size_t>(call.root);
  const bool is_root = me == root;
  Traffic traffic{std::vector<std::uint64_t>(ranks), std::vector<std::uint64_t>(ranks)};
  const BufferShape& from = call.contribution;
  const BufferShape& into = call.result;
  const auto got = [&](std::size_t rank) { return block_bytes(*call.result_blocks, into, rank); };
  const auto given = [&](std::size_t rank) {
    return from.in_place ? got(rank) : block_bytes(*call.contribution_blocks, from, rank);
  };
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    switch (call.call) {
      case Call::gatherv:
        if (is_root) traffic.expected[rank] = got(rank);
        if (rank == root) traffic.sent[rank] = from.in_place ? got(me) : from.bytes();
        break;
      case Call::scatterv:
        if (is_root) traffic.sent[rank] = block_bytes(*call.contribution_blocks, from, rank);
        if (rank == root) traffic.expected[rank] = into.in_place ? traffic.sent[me] : into.bytes();
        break;
      case Call::allgatherv:
        traffic.sent[rank] = got(me);
        traffic.expected[rank] = got(rank);
        break;
      case Call::reduce_scatter: {
        const BufferShape& whole = from.in_place ? into : from;
        traffic.sent[rank] = block_bytes(*call.result_blocks, whole, rank);
        traffic.expected[rank] = block_bytes(*call.result_blocks, whole, me);
        break;
      }
      default: traffic.sent[rank] = given(rank); traffic.expected[rank] = got(rank);
    }
  }
  if (call.call == Call::scatterv && is_root && into.in_place) {
    traffic.expected[root] = traffic.sent[root];
  }
  return traffic;
}

std::optional<std::string> difference(const std::vector<Signature>& calls,
                                      const std::vector<std::uint64_t>& all) {
  const std::size_t ranks = calls.size();
  for (std::size_t sender = 0; sender < ranks; ++sender) {
    for (std::size_t receiver = 0; receiver < ranks; ++receiver) {
      const std::uint64_t sent = all[sender * 2 * ranks + receiver];
      const std::uint64_t expected = all[receiver * 2 * ranks + ranks + sender];
      if (sent == expected) continue;
      return fmt::format("{}: rank {} gives {} for rank {} ({}), which takes {} ({})",
                         registry::name(calls[0].call), sender, registry::describe_bytes(sent),
                         receiver, place(calls[sender]), registry::describe_bytes(expected),
                         place(calls[receiver]));
    }
  }
  return std::nullopt;
}

}  // namespace waybill::communicator
