#include "ddx/distributed/process_group.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/tensor/detail/array.h"

#include <string>

namespace ddx::distributed {

void ProcessGroup::barrier() const {
  if (collective_ && size() > 1) {
    (void)collective_->run({.kind = detail::CollectiveKind::Barrier, .operation = "barrier"},
                           ddx::detail::Array(Shape{0}, DType::u8, Device::cpu()));
  }
}

void ProcessGroup::give_up(const std::string& reason) const noexcept {
  if (collective_) {
    collective_->give_up(reason);
  }
}

}  // namespace ddx::distributed
