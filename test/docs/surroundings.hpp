// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// What the fragments in the documents may use without saying where it comes from.

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "waybill/mpi.hpp"
#include "waybill/waybill.hpp"

using namespace std::chrono_literals;

// Declared only: fragments are compiled, not linked.
extern waybill::Runtime& runtime;
extern const waybill::Communicator world;
extern const int rank;
extern const int peer;
void compute();
void serve(int client);
