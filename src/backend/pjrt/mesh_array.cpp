#include "backend/pjrt/mesh_array.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/mesh_parts.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

std::size_t bytes_of(const Shape& shape, DType dtype) {
  return static_cast<std::size_t>(shape.count()) * info(dtype).bytes;
}

}  // namespace

Buffer MeshResidency::on_host(const KeptArray& array, DType dtype) const {
  const auto& [buffers, sharding] = *static_cast<const MeshArray&>(array).elements();
  const std::size_t bytes = bytes_of(array.shape(), dtype);
  Buffer elements(std::max<std::size_t>(bytes, 1));
  if (bytes == 0) {
    buffers.front().ready().await("run by PJRT");
    return elements;
  }
  if (is_replicated(sharding)) {
    buffers.front().take_to_host({elements.data(), bytes});
    return elements;
  }
  std::vector<Part> known;
  std::vector<std::byte> copied;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Part part = part_of(array.shape(), sharding, mesh_, i);
    if (std::ranges::find(known, part) != known.end()) {
      continue;  // Another device has the same.
    }
    known.push_back(part);
    const std::byte* place = buffers[i].elements_in_place();
    if (place == nullptr) {
      copied.resize(bytes_of(part.shape, dtype));
      buffers[i].take_to_host(copied);
      place = copied.data();
    }
    copy_in(elements.data(), array.shape(), part, info(dtype).bytes, place);
  }
  return elements;
}

}  // namespace ddx::backend::pjrt
