/// \file
/// Tensors of other libraries in the same process, by DLPack.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/dlpack_layout.h"
#include "ddx/tensor/tensor.h"

#include <memory>
#include <source_location>
#include <utility>

namespace ddx {

/// Calls the deleter that a DLPack tensor carries, if any.
struct DlpackDelete {
  void operator()(detail::DlpackManaged* managed) const noexcept;
  void operator()(detail::DlpackVersioned* managed) const noexcept;
};

/// Owns a tensor as DLPack 0.x hands it over: a pointer to a `DLManagedTensor`. `release()` gives
/// the pointer to a C interface or a capsule named "dltensor"; one that came from there is wrapped
/// by `Dlpack(static_cast<Dlpack::pointer>(static_cast<void*>(theirs)))`.
using Dlpack = std::unique_ptr<detail::DlpackManaged, DlpackDelete>;

/// The same of DLPack 1.x: a `DLManagedTensorVersioned`, a capsule named "dltensor_versioned".
using VersionedDlpack = std::unique_ptr<detail::DlpackVersioned, DlpackDelete>;

namespace detail {

/// What to_dlpack and from_dlpack do, for arrays.
Dlpack to_dlpack(Array array);
VersionedDlpack to_versioned_dlpack(Array array);
Array from_dlpack(Dlpack managed, DType expected, const std::source_location& where);
Array from_dlpack(VersionedDlpack managed, DType expected, const std::source_location& where);

}  // namespace detail

/// The tensor for a library that speaks DLPack 0.x, in the memory of this process. That library may
/// write into it, so a tensor whose storage is shared is copied first: move the tensor to hand over
/// its storage.
///
/// Shapes:  x [...]
template <TensorScalar Scalar>
[[nodiscard]] Dlpack to_dlpack(Tensor<Scalar> x) {
  return detail::to_dlpack(std::move(x).array());
}

/// The tensor for a library that speaks DLPack 1.x, never copied: it is marked as read-only where
/// its storage is shared, and writable where this was the only owner.
///
/// Shapes:  x [...]
template <TensorScalar Scalar>
[[nodiscard]] VersionedDlpack to_versioned_dlpack(Tensor<Scalar> x) {
  return detail::to_versioned_dlpack(std::move(x).array());
}

/// A tensor of another library. Its memory is used as it is where the elements lie densely in
/// row-major order and begin at a multiple of 64 bytes: it is given back with the last tensor that
/// shares it, on the thread of that one, and never written (the first change copies). Else the
/// elements are copied, and the memory is given back at once. It is given back also where this
/// throws.
///
/// What the other library still writes into shared memory is seen here: hand over what is finished.
///
/// Shapes:  -> [...] as the other library has it
/// Throws:  UsageError where there is no tensor, its element type is not `Scalar`, it does not lie
///          in the memory of the processor, has more than 8 axes, or is of a later DLPack than 1.x;
///          where it breaks the rules of DLPack (extents below 0, no shape, no data), or holds a
///          truth value that is neither 0 nor 1.
/// Source:  DLPack, "DLPack: Open In Memory Tensor Structure", version 1.1
///          (https://dmlc.github.io/dlpack/latest/c_api.html).
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> from_dlpack(
    Dlpack managed, std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::from_dlpack(std::move(managed), dtype_of<Scalar>, where));
}
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> from_dlpack(
    VersionedDlpack managed, std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::from_dlpack(std::move(managed), dtype_of<Scalar>, where));
}

}  // namespace ddx
