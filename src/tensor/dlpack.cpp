#include "ddx/tensor/dlpack.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/checked.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/dlpack_layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <utility>

namespace ddx {
namespace detail {
namespace {

constexpr std::int32_t processor_memory = 1;
constexpr std::uint32_t major_version = 1;
constexpr std::uint32_t minor_version = 1;
constexpr std::uint64_t read_only = 1;

struct TypeCode {
  std::uint8_t code;
  std::uint8_t bits;
};

TypeCode type_code(DType dtype) {
  constexpr std::uint8_t brain_floating = 4;
  const auto& row = info(dtype);
  const auto bits = static_cast<std::uint8_t>(8 * row.bytes);
  switch (row.kind) {
    case DTypeKind::Signed:
      return {0, bits};
    case DTypeKind::Unsigned:
      return {1, bits};
    case DTypeKind::Float:
      return {row.text == "bf16" ? brain_floating : std::uint8_t{2}, bits};
    case DTypeKind::Boolean:
      return {6, bits};
    case DTypeKind::Complex:
      return {5, bits};
  }
  __builtin_unreachable();
}

std::int32_t device_type(Device device) {
  switch (device.kind()) {
    case Device::Kind::Naive:
    case Device::Kind::Cpu:
    case Device::Kind::Lazy:
    case Device::Kind::Pjrt:
    case Device::Kind::Mesh:  // What is handed over is the host's elements.
      return processor_memory;
  }
  __builtin_unreachable();
}

/// A tensor that another library has, with all that its description points to.
template <class Managed>
struct Exported {
  explicit Exported(Array given) : array(std::move(given)) {}

  Array array;
  std::array<std::int64_t, Shape::max_rank> shape{};
  std::array<std::int64_t, Shape::max_rank> strides{};
  Managed managed{};
};

template <class Managed>
std::unique_ptr<Managed, DlpackDelete> exported(Array array) {
  auto holder = std::make_unique<Exported<Managed>>(std::move(array));
  const auto& extents = holder->array.shape();
  std::copy(extents.extents().begin(), extents.extents().end(), holder->shape.begin());
  holder->strides = dense_strides(extents);
  const auto type = type_code(holder->array.dtype());
  holder->managed.tensor = {
      // What is shared is marked as read-only; DLPack has no pointer to const.
      .data = extents.count() == 0 ? nullptr : const_cast<void*>(holder->array.data()),
      .device_type = device_type(holder->array.device()),
      .device_id = 0,
      .rank = static_cast<std::int32_t>(extents.rank()),
      .type_code = type.code,
      .type_bits = type.bits,
      .type_lanes = 1,
      .shape = holder->shape.data(),
      .strides = holder->strides.data(),
      .byte_offset = 0};
  holder->managed.context = holder.get();
  holder->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->context);
  };
  return std::unique_ptr<Managed, DlpackDelete>(&holder.release()->managed);
}

/// What a tensor of another library says, checked.
struct Imported {
  const std::byte* data;
  Shape shape;
  Strides strides;
  bool dense;
};

[[noreturn]] void fail(const std::string& facts, const std::source_location& where) {
  throw UsageError("from_dlpack", facts, where);
}

void check_type(const DlpackTensor& tensor, DType expected, const std::source_location& where) {
  const auto type = type_code(expected);
  if (tensor.type_code != type.code || tensor.type_bits != type.bits || tensor.type_lanes != 1) {
    fail("the elements are of type code " + std::to_string(tensor.type_code) + " with " +
             std::to_string(tensor.type_bits) + " bits and " + std::to_string(tensor.type_lanes) +
             " lanes; " + std::string(to_string(expected)) + " is code " +
             std::to_string(type.code) + " with " + std::to_string(type.bits) + " bits and 1 lanes",
         where);
  }
  if (tensor.device_type != processor_memory) {
    fail("the tensor lies on a device of type " + std::to_string(tensor.device_type) +
             ", only 1 (the processor) is supported",
         where);
  }
}

Shape checked_shape(const DlpackTensor& tensor, std::size_t bytes,
                    const std::source_location& where) {
  if (tensor.rank < 0 || static_cast<std::size_t>(tensor.rank) > Shape::max_rank) {
    fail("rank " + std::to_string(tensor.rank) + " does not lie in [0, " +
             std::to_string(Shape::max_rank) + "]",
         where);
  }
  if (tensor.rank > 0 && tensor.shape == nullptr) {
    fail("a tensor of rank " + std::to_string(tensor.rank) + " has no shape", where);
  }
  const std::span<const std::int64_t> extents(tensor.shape, static_cast<std::size_t>(tensor.rank));
  auto left = std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(bytes);
  for (const auto extent : extents) {
    if (extent < 0 || extent > left) {
      fail("an extent of " + std::to_string(extent) + " is negative or too large", where);
    }
    left /= std::max<std::int64_t>(extent, 1);
  }
  return Shape(extents, "from_dlpack", where);
}

/// The strides, of axes along which there are steps; those of the others are 0. So no place of an
/// element overflows.
Strides checked_strides(const Shape& shape, const std::int64_t* strides, std::size_t bytes,
                        const std::source_location& where) {
  constexpr const char* operation = "from_dlpack";
  Strides result{};
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] > 1) {
      result[axis] = strides[axis];
      std::int64_t& end = strides[axis] < 0 ? low : high;
      end = checked_sum(end, checked_product(strides[axis], shape[axis], operation, where),
                        operation, where);
    }
  }
  for (const std::int64_t end : {low, high}) {
    (void)checked_product(end, static_cast<std::int64_t>(bytes), operation, where);
  }
  return result;
}

Imported checked(const DlpackTensor& tensor, DType expected, const std::source_location& where) {
  check_type(tensor, expected, where);
  Imported result{.data = static_cast<const std::byte*>(tensor.data) + tensor.byte_offset,
                  .shape = checked_shape(tensor, info(expected).bytes, where),
                  .strides = {},
                  .dense = true};
  if (result.shape.count() != 0 && tensor.data == nullptr) {
    fail("a tensor of shape " + to_string(result.shape) + " has no data", where);
  }
  result.strides = dense_strides(result.shape);
  if (tensor.strides != nullptr) {
    for (std::size_t axis = 0; axis < result.shape.rank(); ++axis) {
      result.dense =
          result.dense && (result.shape[axis] <= 1 || tensor.strides[axis] == result.strides[axis]);
    }
    result.strides = checked_strides(result.shape, tensor.strides, info(expected).bytes, where);
  }
  return result;
}

/// The elements of the other library, copied into row-major order.
Array copied(const Imported& from, DType dtype) {
  Array array(from.shape, dtype, Device());
  const std::size_t size = info(dtype).bytes;
  auto* to = static_cast<std::byte*>(array.fresh_data());
  const auto count = from.shape.count();
  std::array<Shape::Extent, Shape::max_rank> index{};
  Shape::Extent place = 0;
  for (Shape::Extent i = 0; i < count; ++i) {
    std::memcpy(to, from.data + place * static_cast<std::ptrdiff_t>(size), size);
    to += size;
    for (std::size_t axis = from.shape.rank(); axis-- > 0;) {
      place += from.strides[axis];
      if (++index[axis] < from.shape[axis]) {
        break;
      }
      place -= from.strides[axis] * from.shape[axis];
      index[axis] = 0;
    }
  }
  return array;
}

void check_truth_values(const Array& array, const std::source_location& where) {
  const auto* const bytes = static_cast<const std::uint8_t*>(array.data());
  if (array.dtype() == DType::boolean &&
      std::any_of(bytes, bytes + array.shape().count(), [](auto byte) { return byte > 1; })) {
    fail("a truth value is neither 0 nor 1", where);
  }
}

template <class Managed>
Array imported(std::unique_ptr<Managed, DlpackDelete> managed, DType expected,
               const std::source_location& where) {
  const auto from = checked(managed->tensor, expected, where);
  const bool aligned =
      reinterpret_cast<std::uintptr_t>(from.data) % backend::Buffer::alignment == 0;
  if (!from.dense || !aligned || from.shape.count() == 0) {
    auto array = copied(from, expected);
    check_truth_values(array, where);
    return array;
  }
  // The buffer never counts as unshared: it is not written, though its type would allow it.
  auto buffer = backend::Buffer::borrowed(
      const_cast<std::byte*>(from.data), managed.get(),
      [](void* owner) noexcept { DlpackDelete()(static_cast<Managed*>(owner)); });
  (void)managed.release();
  Array array(std::move(buffer), from.shape, expected, Device());
  check_truth_values(array, where);
  return array;
}

}  // namespace

Dlpack to_dlpack(Array array) {
  (void)array.mutable_data();  // Its receiver may write: it must not be shared.
  return exported<DlpackManaged>(std::move(array));
}

VersionedDlpack to_versioned_dlpack(Array array) {
  const bool shared = !array.unshared();
  auto managed = exported<DlpackVersioned>(std::move(array));
  managed->major = major_version;
  managed->minor = minor_version;
  managed->flags = shared ? read_only : 0;
  return managed;
}

Array from_dlpack(Dlpack managed, DType expected, const std::source_location& where) try {
  if (managed == nullptr) {
    fail("there is no tensor", where);
  }
  return imported(std::move(managed), expected, where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("from_dlpack");
}

Array from_dlpack(VersionedDlpack managed, DType expected, const std::source_location& where) try {
  if (managed == nullptr) {
    fail("there is no tensor", where);
  }
  // What follows the deleter may differ in another major version.
  if (managed->major != major_version) {
    fail("the tensor is of DLPack " + std::to_string(managed->major) + "." +
             std::to_string(managed->minor) + ", 1.x is supported",
         where);
  }
  return imported(std::move(managed), expected, where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("from_dlpack");
}

}  // namespace detail

void DlpackDelete::operator()(detail::DlpackManaged* managed) const noexcept {
  if (managed->deleter != nullptr) {
    managed->deleter(managed);
  }
}

void DlpackDelete::operator()(detail::DlpackVersioned* managed) const noexcept {
  if (managed->deleter != nullptr) {
    managed->deleter(managed);
  }
}

}  // namespace ddx
