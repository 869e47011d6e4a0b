// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Everything but the bridge to MPI's own types, which is <waybill/mpi.hpp>.

#include "waybill/batch.hpp"
#include "waybill/buffer.hpp"
#include "waybill/communicator.hpp"
#include "waybill/config.hpp"
#include "waybill/element.hpp"
#include "waybill/error.hpp"
#include "waybill/finding.hpp"
#include "waybill/float16.hpp"
#include "waybill/info.hpp"
#include "waybill/options.hpp"
#include "waybill/persistent.hpp"
#include "waybill/reduction.hpp"
#include "waybill/runtime.hpp"
#include "waybill/source_location.hpp"
#include "waybill/status.hpp"
#include "waybill/wait.hpp"
#include "waybill/work.hpp"
