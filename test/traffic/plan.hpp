// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// A random legal program as plain data. All ranks make the same one from the seed,
/// so that each knows what the others send.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace traffic {

/// A communicator with its own rules, which keep a program legal whatever the threads do.
enum class Lane : std::uint8_t {
  tagged,    ///< a tag of its own for each message; receives may name any source
  exact,     ///< the same with exact_matching, so no wildcards
  half,      ///< the same among the ranks of one parity
  ordered,   ///< one tag for each pair of ranks: taken in the order of their steps
  wildcard,  ///< any source and any tag: a receive takes whichever message comes
};
inline constexpr std::size_t lanes = 5;

enum class Shape : std::uint8_t {
  alone,  ///< contiguous, in memory of its own
  close,  ///< contiguous, between others in one piece of memory
  rows,   ///< with gaps between its rows
  woven,  ///< rows in the gaps of another one's rows
  owned,  ///< a container that is moved in
};

/// How it is posted and ends.
enum class Way : std::uint8_t {
  wait,
  test,      ///< test() until complete
  timed,     ///< wait_for() that expires, again and again
  lone_any,  ///< wait_any() of one
  all,       ///< in a group: wait_all(), after wait_all_for()
  any,       ///< in a group: wait_any() until none is left
  some,      ///< in a group: wait_some() until none is left
  detach,    ///< the handle is left at once
  blocking,  ///< send(), recv()
  probed,    ///< receives only: probe(), then recv()
  paired,    ///< sendrecv() with another one
};

enum class Element : std::uint8_t { byte, integer, real };

/// One end of a message.
struct Side {
  int thread = 0;
  Shape shape = Shape::alone;
  Way way = Way::wait;
  std::size_t columns = 1;  ///< of rows and woven
  std::size_t room = 0;     ///< receives: elements that the buffer has too many
  bool any_source = false;
  bool any_tag = false;
  bool asks_size = false;   ///< receives with room: asks the status, or says up_to()
  bool looks = false;       ///< sends: reads the buffer while it is in flight
  std::size_t partner = 0;  ///< paired: the step of the other message
};

/// A step of the program. On the wildcard lane `receive` is a receive for any message of
/// that rank on that lane.
struct Message {
  std::size_t step = 0;  ///< its number, from 1; findings name it as the line
  Lane lane{};
  int source = 0;  ///< ranks of the world
  int destination = 0;
  int tag = 0;
  Element element{};
  std::size_t elements = 0;
  std::size_t content = 0;  ///< the step whose bytes and memory are sent: mostly its own
  Side send, receive;

  [[nodiscard]] std::size_t element_bytes() const {
    return element == Element::byte ? 1 : element == Element::integer ? 4 : 8;
  }
  [[nodiscard]] std::size_t bytes() const { return elements * element_bytes(); }
};

/// A receive that nothing matches, or an operation with null_rank.
struct Extra {
  std::size_t step = 0;
  Lane lane{};
  int rank = 0;
  int thread = 0;
  int tag = 0;
  std::size_t bytes = 0;
  bool cancelled = false;  ///< else with null_rank
};

struct Plan {
  std::uint64_t seed = 0;
  const char* name = "";  ///< "seed17", for findings; lives as long as the process
  int ranks = 0;
  int threads = 1;
  bool fresh = false;             ///< on communicators of its own
  std::vector<Message> messages;  ///< messages[i].step == i + 1
  std::vector<Extra> extras;

  [[nodiscard]] bool uses(Lane lane) const;
  [[nodiscard]] const Message& at(std::size_t step) const { return messages[step - 1]; }
  [[nodiscard]] Message& at(std::size_t step) { return messages[step - 1]; }
};

/// What bounds a plan; zero leaves it to the seed.
struct Size {
  std::size_t messages = 0;
  int threads = 0;
  std::size_t most_messages = 6000;
  std::size_t most_bytes = std::size_t{24} << 20;  ///< of all messages together
};

Plan make_plan(std::uint64_t seed, int ranks, const Size& size = {});

/// A step in words.
std::string describe(const Message& message);

/// What makes the plan illegal, in words; empty if nothing does.
std::string why_illegal(const Plan& plan);

}  // namespace traffic
