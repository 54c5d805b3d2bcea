/// \file
/// The structures of DLPack, whose layout in memory is fixed for all libraries.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ddx::detail {

/// `DLTensor`: where an array lies and how.
///
/// Source:  DLPack, "C API", versions 0.8 and 1.1
///          (https://dmlc.github.io/dlpack/latest/c_api.html).
struct DlpackTensor {
  void* data;
  std::int32_t device_type;  ///< 1: memory of the processor.
  std::int32_t device_id;
  std::int32_t rank;
  std::uint8_t type_code;  ///< 0 signed, 1 unsigned, 2 floating, 4 bfloat, 6 truth values.
  std::uint8_t type_bits;
  std::uint16_t type_lanes;
  std::int64_t* shape;
  std::int64_t* strides;  ///< In elements; null means row-major.
  std::uint64_t byte_offset;
};

/// `DLManagedTensor` of DLPack 0.x.
struct DlpackManaged {
  DlpackTensor tensor;
  void* context;
  void (*deleter)(DlpackManaged* self);
};

/// `DLManagedTensorVersioned` of DLPack 1.x.
struct DlpackVersioned {
  std::uint32_t major;
  std::uint32_t minor;
  void* context;
  void (*deleter)(DlpackVersioned* self);
  std::uint64_t flags;  ///< Bit 0: read-only.
  DlpackTensor tensor;
};

static_assert(sizeof(void*) == 8, "the layouts below are those of 64-bit systems");
static_assert(offsetof(DlpackTensor, device_type) == 8 && offsetof(DlpackTensor, rank) == 16 &&
              offsetof(DlpackTensor, type_code) == 20 && offsetof(DlpackTensor, shape) == 24 &&
              offsetof(DlpackTensor, byte_offset) == 40 && sizeof(DlpackTensor) == 48);
static_assert(offsetof(DlpackManaged, context) == 48 && offsetof(DlpackManaged, deleter) == 56);
static_assert(offsetof(DlpackVersioned, context) == 8 && offsetof(DlpackVersioned, flags) == 24 &&
              offsetof(DlpackVersioned, tensor) == 32);

}  // namespace ddx::detail
