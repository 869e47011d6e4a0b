// SPDX-License-Identifier: BSD-3-Clause
#include "transport/transport.hpp"

#include "transport/channels.hpp"

namespace waybill::transport {

Transport::~Transport() = default;
Channels::~Channels() = default;

}  // namespace waybill::transport
