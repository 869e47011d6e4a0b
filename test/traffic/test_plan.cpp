// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/plan.hpp"

#include <set>

#include "support/catch.hpp"

using namespace traffic;

TEST_CASE("the plans of many seeds are legal") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    for (const int ranks : {1, 2, 4}) {
      INFO("seed " << seed << ", " << ranks << " ranks");
      REQUIRE(why_illegal(make_plan(seed, ranks)).empty());
    }
  }
}

TEST_CASE("what makes a plan illegal is noticed") {
  Plan plan = make_plan(3, 2);
  REQUIRE(why_illegal(plan).empty());
  SECTION("both ends block") {
    plan.messages[0].send.way = plan.messages[0].receive.way = Way::blocking;
  }
  SECTION("a tag twice") {
    Message twin = plan.messages[0];
    twin.lane = Lane::tagged;
    twin.step = twin.content = plan.messages.size() + 1;
    plan.messages.push_back(twin);
    ++twin.step;
    ++twin.content;
    plan.messages.push_back(twin);
  }
  SECTION("a part of a row") {
    plan.messages[0].receive.shape = Shape::rows;
    plan.messages[0].receive.columns = 1'000'003;
    plan.messages[0].elements = 1;
  }
  REQUIRE_FALSE(why_illegal(plan).empty());
}

TEST_CASE("one seed is one plan") {
  const Plan one = make_plan(17, 4);
  const Plan same = make_plan(17, 4);
  const Plan other = make_plan(18, 4);
  REQUIRE(one.messages.size() == same.messages.size());
  for (std::size_t i = 0; i < one.messages.size(); ++i) {
    REQUIRE(one.messages[i].bytes() == same.messages[i].bytes());
    REQUIRE(one.messages[i].source == same.messages[i].source);
    REQUIRE(one.messages[i].receive.way == same.messages[i].receive.way);
  }
  REQUIRE((one.messages.size() != other.messages.size() ||
           one.messages[0].bytes() != other.messages[0].bytes()));
}

TEST_CASE("some hundred seeds use everything there is") {
  std::set<Lane> used_lanes;
  std::set<Shape> shapes;
  std::set<Way> sends, receives;
  bool shared = false, any_source = false, none = false, large = false, many = false, self = false;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Plan plan = make_plan(seed, 4);
    many |= plan.messages.size() >= 2000;
    for (const Message& message : plan.messages) {
      used_lanes.insert(message.lane);
      shapes.insert({message.send.shape, message.receive.shape});
      sends.insert(message.send.way);
      receives.insert(message.receive.way);
      shared |= message.content != message.step;
      any_source |= message.receive.any_source && message.lane == Lane::tagged;
      none |= message.bytes() == 0;
      large |= message.bytes() > std::size_t{1} << 20;
      self |= message.source == message.destination;
    }
  }
  REQUIRE(used_lanes.size() == lanes);
  REQUIRE(shapes.size() == 5);
  REQUIRE(sends.size() == 10);
  REQUIRE(receives.size() == 11);
  REQUIRE((shared && any_source && none && large && many && self));
}
