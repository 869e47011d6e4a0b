// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// Which of Reduce is defined for which elements, and those that MPI does not have.

#include <memory>

#include "waybill/element.hpp"
#include "waybill/reduction.hpp"

namespace waybill::transport {

/// By MPI 3.1 section 5.9.2, or as an operator of Waybill's own. A native type is for MPI to judge.
[[nodiscard]] bool is_defined(Reduce reduce, Element element) noexcept;

/// "sum" ...
[[nodiscard]] const char* name(Reduce reduce) noexcept;

/// For elements that MPI knows no arithmetic of: float16, bfloat16. Null for all others.
[[nodiscard]] std::shared_ptr<const Combiner> own_version(Reduce reduce, Element element);

}  // namespace waybill::transport
