// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <utility>

#include "transport/mpi/check.hpp"
#include "transport/mpi/collective_request.hpp"

namespace waybill::transport::mpi {

namespace {

/// Of the datatypes that carry an operator. Made and freed by the transport, of which
/// there is one at a time.
int operator_keyval = MPI_KEYVAL_INVALID;

void note_exception(OwnOperator& own, const char* text) noexcept {
  if (own.threw.exchange(true)) return;
  try {
    own.text = text;
  } catch (const std::exception&) {  // no memory
  }
  own.told.store(true, std::memory_order_release);
}

void combine(void* earlier, void* later, int* elements, MPI_Datatype* type) {
  void* value = nullptr;
  int found = 0;
  MPI_Type_get_attr(*type, operator_keyval, &value, &found);
  if (found == 0) return;
  OwnOperator& own = *static_cast<OwnOperator*>(value);
  try {
    own.combiner->combine(earlier, later, static_cast<std::size_t>(*elements));
  } catch (const std::exception& exception) {
    note_exception(own, exception.what());
  } catch (...) {
    note_exception(own, "something that is not an std::exception");
  }
}

}  // namespace

CollectiveRequest::~CollectiveRequest() {
  for (MPI_Datatype& type : types) MPI_Type_free(&type);
}

OwnOperators::OwnOperators() {
  require(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &operator_keyval,
                                 nullptr),
          "MPI_Type_create_keyval");
  require(MPI_Op_create(combine, 1, &in_any_order_), "MPI_Op_create");
  require(MPI_Op_create(combine, 0, &in_rank_order_), "MPI_Op_create");
}

OwnOperators::~OwnOperators() {
  MPI_Op_free(&in_any_order_);
  MPI_Op_free(&in_rank_order_);
  MPI_Type_free_keyval(&operator_keyval);
}

MPI_Datatype OwnOperators::element(CollectiveRequest& request,
                                   std::shared_ptr<const Combiner> combiner) const {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  require(MPI_Type_contiguous(static_cast<int>(combiner->element_bytes()), MPI_BYTE, &type),
          "MPI_Type_contiguous");
  request.types.push_back(type);
  require(MPI_Type_commit(&request.types.back()), "MPI_Type_commit");
  request.own = std::make_unique<OwnOperator>();
  request.own->combiner = std::move(combiner);
  require(MPI_Type_set_attr(type, operator_keyval, request.own.get()), "MPI_Type_set_attr");
  return type;
}

}  // namespace waybill::transport::mpi
