#include "backend/pjrt/upload_table.h"

#include "ddx/backend/buffer.h"

#include <memory>

namespace ddx::backend::pjrt {

Buffer lent(const Buffer& block) {
  auto owner = std::make_unique<Buffer>(block);
  Buffer loan = Buffer::borrowed(block.data(), owner.get(),
                                 [](void* one) noexcept { delete static_cast<Buffer*>(one); });
  (void)owner.release();
  return loan;
}

}  // namespace ddx::backend::pjrt
