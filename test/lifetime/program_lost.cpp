// SPDX-License-Identifier: BSD-3-Clause
// Memory that a program gives up while an operation in flight has it as its buffer, or right after
// the wait: PROGRAM WAY mistake|correct, with libwaybill-lifetime.so preloaded.
#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "waybill/waybill.hpp"

namespace {

constexpr std::size_t page = 4096;

/// Where the memory comes from, its first bytes of which are the buffer, and how it goes.
struct Way {
  void* (*get)(std::size_t bytes);
  std::size_t bytes;
  void (*lose)(void* memory, std::size_t bytes);
};

void* get_mapping(std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
void* get_chars(std::size_t bytes) { return new char[bytes]; }

/// What takes the place behind a block, so that it cannot grow there.
void move_block(void* memory, std::size_t bytes) {
  void* const behind = std::malloc(bytes);
  void* const moved = std::realloc(memory, 64 * bytes);
  if (moved == memory) std::puts("realloc did not move it");
  std::free(moved);
  std::free(behind);
}

const std::map<std::string, Way>& ways() {
  static const std::map<std::string, Way> all{
      {"free", {std::malloc, 256, [](void* memory, std::size_t) { std::free(memory); }}},
      {"free-large",
       {std::malloc, 1U << 20U, [](void* memory, std::size_t) { std::free(memory); }}},
      {"delete",
       {get_chars, 256, [](void* memory, std::size_t) { delete[] static_cast<char*>(memory); }}},
      {"realloc", {std::malloc, 256, move_block}},
      {"reallocarray",
       {std::malloc, 1U << 20U,
        [](void* memory, std::size_t) { std::free(reallocarray(memory, 1, 32)); }}},
      {"munmap",
       {get_mapping, page, [](void* memory, std::size_t bytes) { munmap(memory, bytes); }}},
      {"mremap",
       {get_mapping, page,
        [](void* memory, std::size_t bytes) {
          void* const place = get_mapping(bytes);
          static_cast<void>(mremap(memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place));
        }}},
      {"onto",  // another mapping takes its place
       {get_mapping, page,
        [](void* memory, std::size_t bytes) {
          void* const other = get_mapping(bytes);
          static_cast<void>(mremap(other, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, memory));
        }}},
      {"thread",
       {std::malloc, 256,
        [](void* memory, std::size_t) { std::thread([=] { std::free(memory); }).join(); }}},
  };
  return all;
}

/// What is sent before is there.
void meet(const waybill::Communicator& world, int peer) {
  int mine = 0;
  int theirs = 0;
  world.sendrecv(waybill::value(mine), peer, waybill::value(theirs), peer, 2);
}

/// The buffer of a send, and then that of a receive, which are complete inside MPI before, but
/// not waited for: the mistake can be made and the message still be right.
void lose_both(const waybill::Communicator& world, const Way& way, bool mistake) {
  const int peer = 1 - world.rank();
  auto* const here = static_cast<char*>(way.get(way.bytes));
  auto* const there = static_cast<char*>(way.get(way.bytes));
  std::vector<char> other(way.bytes);
  std::memset(here, 'x', way.bytes);
  waybill::Work send = world.isend(std::span(here, way.bytes), peer, 1);  // named in meson.build
  world.recv(other, peer, 1);
  meet(world, peer);
  if (mistake) way.lose(here, way.bytes);
  send.wait();
  waybill::Work receive = world.irecv(std::span(there, way.bytes), peer, 1);  // named, too
  world.send(other, peer, 1);
  meet(world, peer);
  if (mistake) way.lose(there, way.bytes);
  receive.wait();
  if (mistake) return;
  if (there[0] != 'x' || there[way.bytes - 1] != 'x') std::puts("a wrong message");
  way.lose(here, way.bytes);
  way.lose(there, way.bytes);
}

/// What looks like it and is none: other memory goes, or nothing does.
void lose_others(const waybill::Communicator& world) {
  const int peer = 1 - world.rank();
  std::array<char*, 64> blocks{};
  for (char*& block : blocks) block = static_cast<char*>(std::malloc(256));
  auto* const mapping = static_cast<char*>(get_mapping(3 * page));
  auto* large = static_cast<char*>(std::malloc(1U << 20U));
  waybill::Work of_block = world.irecv(std::span(blocks[31], 256), peer, 1);
  waybill::Work of_page = world.irecv(std::span(mapping + page, page), peer, 2);
  waybill::Work of_large = world.irecv(std::span(large, 256), peer, 3);
  for (char* const block : blocks) {
    if (block != blocks[31]) std::free(block);
  }
  large = static_cast<char*>(std::realloc(large, 1U << 19U));  // in place, behind the buffer
  munmap(mapping, page);
  munmap(mapping + 2 * page, page);
  munmap(mapping + page + 1, page);  // refused
  static_cast<void>(mremap(mapping + page, page, page, 0));
  char message[page] = {};
  world.send(std::span(message, 256), peer, 1);
  world.send(std::span(message, page), peer, 2);
  world.send(std::span(message, 256), peer, 3);
  of_block.wait();
  of_page.wait();
  of_large.wait();
  std::free(blocks[31]);
  std::free(large);
  munmap(mapping + page, page);
}

/// Handles that are gone give their bytes up, and so does the end of the Runtime.
void lose_after_detach(const waybill::Communicator& world) {
  const int peer = 1 - world.rank();
  auto* const here = static_cast<char*>(std::calloc(64, 1));
  world.isend(std::span(here, 64), peer, 1).detach();
  char there[64];
  world.recv(there, peer, 1);
  std::free(here);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const bool mistake = argc > 2 && std::strcmp(argv[2], "mistake") == 0;
  waybill::Runtime runtime;
  const waybill::Communicator world = runtime.world();
  if (name == "others") lose_others(world);
  else if (name == "detach") lose_after_detach(world);
  else lose_both(world, ways().at(name), mistake);
  std::puts("went on to its end");
}
