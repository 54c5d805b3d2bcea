#include "ddx/tensor/detail/is_staged.h"

#include "ddx/backend/staging.h"
#include "ddx/tensor/detail/array.h"

namespace ddx::detail {

bool is_staged(const Array& array) noexcept {
  return array.device().is_lazy() && backend::is_staging();
}

}  // namespace ddx::detail
