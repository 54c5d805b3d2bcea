/// \file
/// What PyTorch's pickles may name.

#pragma once

#include "ddx/core/dtype.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace ddx::io::detail {

/// An element type of PyTorch; `dtype` is none where ddx has no such type.
struct TorchDType {
  std::string_view name;     ///< `torch.float32`
  std::string_view storage;  ///< The class of memory with such elements; empty where there is none.
  std::optional<DType> dtype;
};

/// Source:  PyTorch 2.15, `torch/__init__.py` and `torch/_utils.py`.
inline constexpr std::array torch_dtypes = {
    TorchDType{"float64", "DoubleStorage", DType::f64},
    TorchDType{"float32", "FloatStorage", DType::f32},
    TorchDType{"float16", "HalfStorage", DType::f16},
    TorchDType{"bfloat16", "BFloat16Storage", DType::bf16},
    TorchDType{"int64", "LongStorage", DType::i64},
    TorchDType{"int32", "IntStorage", DType::i32},
    TorchDType{"int16", "ShortStorage", DType::i16},
    TorchDType{"int8", "CharStorage", DType::i8},
    TorchDType{"uint8", "ByteStorage", DType::u8},
    TorchDType{"bool", "BoolStorage", DType::boolean},
    TorchDType{"complex64", "ComplexFloatStorage", DType::c64},
    TorchDType{"complex128", "ComplexDoubleStorage", DType::c128},
    TorchDType{"uint16", "", DType::u16},
    TorchDType{"uint32", "", DType::u32},
    TorchDType{"uint64", "", DType::u64},
    TorchDType{"complex32", "", std::nullopt},
    TorchDType{"float8_e4m3fn", "", std::nullopt},
    TorchDType{"float8_e4m3fnuz", "", std::nullopt},
    TorchDType{"float8_e5m2", "", std::nullopt},
    TorchDType{"float8_e5m2fnuz", "", std::nullopt},
    TorchDType{"float8_e8m0fnu", "", std::nullopt},
    TorchDType{"float4_e2m1fn_x2", "", std::nullopt},
};

/// The element type of a member of the module `torch`; null where it is none.
[[nodiscard]] constexpr const TorchDType* torch_dtype(std::string_view name) {
  const auto* const found = std::find_if(torch_dtypes.begin(), torch_dtypes.end(),
                                         [&](const auto& row) { return row.name == name; });
  return found == torch_dtypes.end() ? nullptr : found;
}

/// The element type of a class of memory of the module `torch`; null where it is none.
[[nodiscard]] constexpr const TorchDType* torch_storage(std::string_view name) {
  const auto* const found =
      std::find_if(torch_dtypes.begin(), torch_dtypes.end(),
                   [&](const auto& row) { return !row.storage.empty() && row.storage == name; });
  return found == torch_dtypes.end() ? nullptr : found;
}

/// Whether a pickle of weights may name this; a closed list.
[[nodiscard]] constexpr bool is_torch_global(std::string_view module, std::string_view name) {
  if (module == "collections") {
    return name == "OrderedDict";
  }
  if (module == "torch") {
    return name == "Size" || name == "device" || torch_dtype(name) != nullptr ||
           torch_storage(name) != nullptr;
  }
  if (module == "torch.storage") {
    return name == "UntypedStorage";
  }
  return module == "torch._utils" &&
         (name == "_rebuild_tensor" || name == "_rebuild_tensor_v2" ||
          name == "_rebuild_tensor_v3" || name == "_rebuild_parameter" ||
          name == "_rebuild_parameter_with_state");
}

}  // namespace ddx::io::detail
