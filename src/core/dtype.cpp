#include "ddx/core/dtype.h"

#include <ostream>

namespace ddx {

std::ostream& operator<<(std::ostream& stream, DType dtype) {
  return stream << to_string(dtype);
}

}  // namespace ddx
