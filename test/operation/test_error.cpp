// SPDX-License-Identifier: BSD-3-Clause
#include "waybill/error.hpp"

#include <set>
#include <string>

#include "support/catch.hpp"

using waybill::Errc;
using waybill::Error;
using waybill::ErrorDetail;

TEST_CASE("an error carries what a user needs") {
  ErrorDetail detail;
  detail.what = "isend #1: went wrong";
  detail.routine = "MPI_Isend";
  detail.mpi_text = "MPI_ERR_OTHER";
  detail.peer = 3;
  detail.tag = 7;
  detail.where = waybill::SourceLocation::current();
  const Error error(Errc::transport, detail);
  REQUIRE(std::string(error.what()) == "isend #1: went wrong");
  REQUIRE(error.routine() == "MPI_Isend");
  REQUIRE(error.mpi_text() == "MPI_ERR_OTHER");
  REQUIRE(error.peer() == 3);
  REQUIRE(error.tag() == 7);
  REQUIRE(error.where().line() == __LINE__ - 7);
  REQUIRE(error.code() == Errc::transport);
  REQUIRE(std::string(error.code().category().name()) == "waybill");
}

TEST_CASE("it can be caught as std::system_error and copied") {
  try {
    throw Error(Errc::truncated, {});
  } catch (const std::system_error& error) {
    REQUIRE(error.code() == Errc::truncated);
  }
}

TEST_CASE("each code has a text of its own") {
  std::set<std::string> texts;
  for (int code = 1; code <= static_cast<int>(Errc::finding); ++code) {
    texts.insert(waybill::make_error_code(static_cast<Errc>(code)).message());
  }
  REQUIRE(texts.size() == static_cast<std::size_t>(Errc::finding));
  REQUIRE(texts.count("unknown error") == 0);
}
