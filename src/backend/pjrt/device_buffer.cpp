#include "backend/pjrt/device_buffer.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/text.h"

#include "backend/pjrt/advice.h"
#include "backend/pjrt/api.h"
#include "backend/pjrt/element_types.h"
#include "backend/pjrt/event.h"
#include "backend/pjrt/memory_report.h"
#include "backend/pjrt/status.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace ddx::backend::pjrt {
namespace {

constexpr const char* to_device = "copy to a PJRT device";
constexpr const char* to_host = "copy from a PJRT device";

constexpr std::size_t tiled_layout_bytes =
    offsetof(TiledLayout, tile_count) + sizeof(TiledLayout::tile_count);
constexpr std::size_t memory_layout_bytes =
    offsetof(MemoryLayout, type) + sizeof(MemoryLayout::type);
static_assert(tiled_layout_bytes == 56 && memory_layout_bytes == 76);

std::size_t bytes_of(const Shape& shape, DType dtype) noexcept {
  return static_cast<std::size_t>(shape.count()) * info(dtype).bytes;
}

struct Sent {
  RawBuffer* buffer;
  Event done_with_host;
};

Sent send(const std::shared_ptr<const Client>& client, const HostArray& array,
          const DeviceInfo& device, HostBufferSemantics semantics) {
  const auto extents = array.shape.extents();
  ClientBufferFromHostBufferArgs args{.head = {},
                                      .client = client->raw(),
                                      .data = array.data,
                                      .type = buffer_type_of(array.dtype),
                                      .extents = extents.data(),
                                      .rank = extents.size(),
                                      .semantics = semantics,
                                      .device = device.raw};
  const Status status = client->api().try_call(args);
  if (is_out_of_memory(status)) {
    throw EnvironmentError(to_device, ir::to_string({array.shape, array.dtype}) + " of " +
                                          std::to_string(bytes_of(array.shape, array.dtype)) +
                                          " bytes: " + to_string(first_line(status)) +
                                          memory_in_use(*client));
  }
  Api::throw_unless_ok(to_device, status);
  client->transfers().count_sent(bytes_of(array.shape, array.dtype));
  return {args.buffer, Event(client, args.done_with_host_buffer)};
}

bool is_row_major(const MemoryLayout& layout) noexcept {
  if (layout.type != 0 || layout.tiled.tile_count != 0) {
    return false;
  }
  for (std::size_t i = 0; i < layout.tiled.rank; ++i) {
    if (layout.tiled.minor_to_major[i] != static_cast<std::int64_t>(layout.tiled.rank - 1 - i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

DeviceBuffer DeviceBuffer::copied(const std::shared_ptr<const Client>& client,
                                  const HostArray& array, const DeviceInfo& device) {
  return {client, send(client, array, device, HostBufferSemantics::OnlyDuringCall).buffer};
}

DeviceBuffer DeviceBuffer::shared(const std::shared_ptr<const Client>& client,
                                  const HostArray& array, const Buffer& memory,
                                  const DeviceInfo& device) {
  Sent sent = send(client, array, device, HostBufferSemantics::ImmutableZeroCopy);
  DeviceBuffer buffer(client, sent.buffer);
  sent.done_with_host.on_ready([memory](const Status&) {});
  return buffer;
}

DeviceBuffer::~DeviceBuffer() {
  if (raw_ != nullptr) {
    BufferDestroyArgs destroy{.head = {}, .buffer = raw_};
    client_->api().call_to_destroy(destroy);
  }
}

DType DeviceBuffer::dtype() const {
  BufferElementTypeArgs args{.head = {}, .buffer = raw_};
  client_->api().call("ask a PJRT buffer", args);
  const auto dtype = element_type_of(args.type);
  if (!dtype) {
    throw EnvironmentError("ask a PJRT buffer", "element type " +
                                                    std::to_string(static_cast<int>(args.type)) +
                                                    " of PJRT is none that tensors have");
  }
  return *dtype;
}

Shape DeviceBuffer::shape() const {
  BufferDimensionsArgs args{.head = {}, .buffer = raw_};
  client_->api().call("ask a PJRT buffer", args);
  return Shape(std::span(args.extents, args.rank));
}

std::size_t DeviceBuffer::bytes_on_device() const {
  BufferOnDeviceSizeInBytesArgs args{.head = {}, .buffer = raw_};
  client_->api().call("ask a PJRT buffer", args);
  return args.bytes;
}

bool DeviceBuffer::is_deleted() const {
  BufferIsDeletedArgs args{.head = {}, .buffer = raw_};
  client_->api().call("ask a PJRT buffer", args);
  return args.is_deleted;
}

Event DeviceBuffer::ready() const {
  BufferReadyEventArgs args{.head = {}, .buffer = raw_};
  client_->api().call("ask a PJRT buffer", args);
  return {client_, args.event};
}

const std::byte* DeviceBuffer::elements_in_place() const {
  const Api& api = client_->api();
  BufferIsOnCpuArgs place{.head = {}, .buffer = raw_};
  if (!api.has<BufferUnsafePointerArgs>() || !api.try_call(place).is_ok() || !place.is_on_cpu) {
    return nullptr;
  }
  BufferGetMemoryLayoutArgs order{.head = {}, .buffer = raw_};
  if (!api.try_call(order).is_ok() || !is_row_major(order.layout)) {
    return nullptr;
  }
  ready().await(to_host);
  BufferUnsafePointerArgs elements{.head = {}, .buffer = raw_};
  if (!api.try_call(elements).is_ok()) {
    return nullptr;
  }
  client_->transfers().count_read();
  return reinterpret_cast<const std::byte*>(elements.pointer);
}

Event DeviceBuffer::copy_to_host(std::span<std::byte> host) const {
  const Shape extents = shape();
  const std::size_t bytes = bytes_of(extents, dtype());
  if (host.size() != bytes) {
    throw UsageError(to_host, "an array of " + std::to_string(bytes) + " bytes into memory of " +
                                  std::to_string(host.size()));
  }
  // On the device the order may be another one; where there are no two axes, there is no order.
  std::array<std::int64_t, Shape::max_rank> minor_to_major{};
  for (std::size_t i = 0; i < extents.rank(); ++i) {
    minor_to_major[i] = static_cast<std::int64_t>(extents.rank() - 1 - i);
  }
  MemoryLayout layout{.head = {.size = memory_layout_bytes},
                      .tiled = {.head = {.size = tiled_layout_bytes},
                                .minor_to_major = minor_to_major.data(),
                                .rank = extents.rank()}};
  // Without memory, the plugin would take this for the question how many bytes there are.
  std::byte nothing{};
  BufferToHostBufferArgs args{.head = {},
                              .buffer = raw_,
                              .layout = extents.rank() < 2 ? nullptr : &layout,
                              .data = host.empty() ? &nothing : host.data(),
                              .bytes = bytes};
  client_->api().call(to_host, args);
  client_->transfers().count_read();
  return {client_, args.event};
}

void DeviceBuffer::take_to_host(std::span<std::byte> host) const {
  if (host.size() == bytes_of(shape(), dtype()) && !host.empty()) {
    if (const std::byte* const elements = elements_in_place()) {
      std::memcpy(host.data(), elements, host.size());
      return;
    }
  }
  copy_to_host(host).await(to_host);
}

DeviceBuffer DeviceBuffer::on(const DeviceInfo& device) const {
  BufferCopyToDeviceArgs args{.head = {}, .buffer = raw_, .device = device.raw};
  client_->api().call("copy to another PJRT device", args);
  return {client_, args.copy};
}

}  // namespace ddx::backend::pjrt
