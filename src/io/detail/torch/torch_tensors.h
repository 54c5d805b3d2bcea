/// \file
/// The tensors that a pickle of PyTorch describes.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include "io/detail/refusal.h"
#include "io/detail/torch/content_budget.h"
#include "io/detail/torch/pickle_values.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::io::detail {

/// A tensor as a part of a storage, the memory that tensors may share.
struct TorchTensor {
  std::string name;
  std::string_view storage;         ///< The name of its storage.
  std::uint64_t storage_bytes = 0;  ///< All of them.
  DType dtype = DType::f32;
  Shape shape;
  std::uint64_t offset = 0;  ///< Of its first element in the storage, in elements.
  Strides strides{};
  std::string obstacle = {};  ///< Why it cannot be read; dtype and shape mean nothing then.
};

/// The tensors within a value: in dictionaries, lists and tuples. A tensor's name is the path to
/// it, keys and numbers with points between; other values are passed over. Each lies in its
/// storage. The bytes that they will take are taken from the budget; tensors may share elements.
/// `refuse` is called with what is wrong, and throws.
[[nodiscard]] std::vector<TorchTensor> torch_tensors(const PickleValues& values,
                                                     ContentBudget& budget, const Refusal& refuse);

}  // namespace ddx::io::detail
