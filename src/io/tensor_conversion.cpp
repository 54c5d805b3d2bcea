#include "ddx/io/tensor_conversion.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include <cstddef>
#include <source_location>
#include <string>

namespace ddx::io::detail {

void check_stored(const StoredTensor& stored, DType expected, const std::source_location& where) {
  if (!stored.obstacle.empty()) {
    throw UsageError("to_tensor", stored.obstacle, where);
  }
  if (stored.dtype != expected) {
    throw UsageError("to_tensor",
                     "the array is of dtype " + std::string(to_string(stored.dtype)) +
                         ", the tensor of dtype " + std::string(to_string(expected)),
                     where);
  }
  const auto bytes = static_cast<std::size_t>(stored.shape.count()) * info(expected).bytes;
  if (stored.bytes.size() != bytes) {
    throw UsageError("to_tensor",
                     "an array of dtype " + std::string(to_string(expected)) + " and shape " +
                         to_string(stored.shape) + " takes " + std::to_string(bytes) +
                         " bytes, it has " + std::to_string(stored.bytes.size()),
                     where);
  }
}

}  // namespace ddx::io::detail
