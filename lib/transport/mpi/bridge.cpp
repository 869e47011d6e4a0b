// SPDX-License-Identifier: BSD-3-Clause
// The parts of <waybill/mpi.hpp> that call MPI.
#include "transport/mpi/datatypes.hpp"
#include "transport/mpi/serial_lock.hpp"
#include "waybill/mpi.hpp"

namespace waybill {

namespace {

using transport::mpi::builtin_type;

[[noreturn]] void refuse(const char* what) {
  ErrorDetail detail;
  detail.routine = "send_buffer/recv_buffer";
  detail.what = what;
  throw Error(Errc::invalid_buffer, std::move(detail));
}

/// A type of MPI's own becomes the element of the same name: contiguous and known.
BufferShape describe(const void* address, std::size_t count, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL)
    refuse("MPI_DATATYPE_NULL describes no buffer; give a committed type");
  int started = 0;
  MPI_Initialized(&started);
  if (started == 0) refuse("an MPI_Datatype has a size only after MPI was initialised");
  const transport::mpi::Serialized serialized;
  int size = 0;
  if (MPI_Type_size(type, &size) != MPI_SUCCESS || size == MPI_UNDEFINED) {
    refuse("MPI knows no size of this MPI_Datatype (MPI_Type_size); give a committed type");
  }
  BufferShape shape;
  shape.address = address;
  shape.columns = count;
  shape.element_bytes = static_cast<std::size_t>(size);
  for (int e = 0; e < static_cast<int>(Element::opaque); ++e) {
    const auto element = static_cast<Element>(e);
    if (builtin_type(element) == type) {
      shape.element = element;
      return shape;
    }
  }
  shape.element = Element::native;
  shape.native_type = transport::mpi::pack(type);
  return shape;
}

}  // namespace

SendBuffer send_buffer(const void* address, std::size_t count, MPI_Datatype type) {
  return SendBuffer(describe(address, count, type));
}

RecvBuffer recv_buffer(void* address, std::size_t count, MPI_Datatype type) {
  return RecvBuffer(describe(address, count, type));
}

MpiLock::MpiLock() {
  if (transport::mpi::SerialLock::enabled()) transport::mpi::SerialLock::lock();
}

MpiLock::~MpiLock() {
  if (transport::mpi::SerialLock::enabled()) transport::mpi::SerialLock::unlock();
}

}  // namespace waybill
