// SPDX-License-Identifier: BSD-3-Clause
#include "transport/transport.hpp"

#include <array>
#include <complex>

#include "transport/channels.hpp"

namespace waybill::transport {

namespace {

/// In the order of Element.
constexpr std::array<std::uint8_t, static_cast<std::size_t>(Element::opaque)> element_bytes{
    1,
    sizeof(char),
    sizeof(signed char),
    sizeof(unsigned char),
    sizeof(bool),
    sizeof(short),
    sizeof(unsigned short),
    sizeof(int),
    sizeof(unsigned int),
    sizeof(long),
    sizeof(unsigned long),
    sizeof(long long),
    sizeof(unsigned long long),
    sizeof(float),
    sizeof(double),
    sizeof(long double),
    sizeof(std::complex<float>),
    sizeof(std::complex<double>),
};

BufferShape shape_of(const void* address, PlainCount count) noexcept {
  BufferShape shape;
  shape.address = address;
  shape.columns = static_cast<std::size_t>(count.columns());
  shape.element = count.element();
  shape.element_bytes = element_bytes[static_cast<std::size_t>(count.element())];
  return shape;
}

}  // namespace

std::size_t bytes_of(PlainCount count) noexcept {
  return static_cast<std::size_t>(count.columns()) *
         element_bytes[static_cast<std::size_t>(count.element())];
}

Transport::~Transport() = default;
void Transport::forget(Channel) noexcept {}
Channels::~Channels() = default;

Posted Transport::send_plain(const void* address, PlainCount count, int peer, int tag,
                             Channel channel) noexcept {
  Posted posted;
  posted.failure = send(shape_of(address, count), {channel, peer, tag}, posted.request);
  return posted;
}

Posted Transport::receive_plain(const void* address, PlainCount count, int peer, int tag,
                                Channel channel) noexcept {
  Posted posted;
  posted.failure = receive(shape_of(address, count), {channel, peer, tag}, posted.request);
  return posted;
}

}  // namespace waybill::transport
