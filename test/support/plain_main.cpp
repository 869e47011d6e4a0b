// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch_session.hpp"

int main(int argc, char** argv) { return test_support::run_session(argc, argv, {}); }
