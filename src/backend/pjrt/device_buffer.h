/// \file
/// An array in the memory of a device.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include "backend/pjrt/c_api.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/event.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace ddx::backend::pjrt {

/// A dense row-major array in the memory of this process.
struct HostArray {
  const void* data;
  DType dtype;
  Shape shape;
};

/// Owns an array on a device. It may still be under way: a caller that runs programs with it or
/// takes it to the host waits for it, as far as that is needed.
///
/// Reading is possible from any thread. Where a program takes the memory over (donation), no other
/// thread may use the buffer meanwhile.
class DeviceBuffer {
 public:
  /// Copies an array, whose memory is the caller's again on return.
  ///
  /// Throws:  EnvironmentError with the plugin's message, e.g. that there is no memory.
  [[nodiscard]] static DeviceBuffer copied(const std::shared_ptr<const Client>& client,
                                           const HostArray& array, const DeviceInfo& device);

  /// An array that lies in `memory`, which the buffer owns with others for as long as the plugin
  /// reads it: a device that can read the memory of the process makes no copy. It must not be
  /// written meanwhile.
  ///
  /// Throws:  as `copied`.
  [[nodiscard]] static DeviceBuffer shared(const std::shared_ptr<const Client>& client,
                                           const HostArray& array, const Buffer& memory,
                                           const DeviceInfo& device);

  /// Owns `raw`.
  DeviceBuffer(std::shared_ptr<const Client> client, RawBuffer* raw) noexcept
      : client_(std::move(client)), raw_(raw) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : client_(std::move(other.client_)), raw_(std::exchange(other.raw_, nullptr)) {}
  DeviceBuffer& operator=(DeviceBuffer other) noexcept {
    std::swap(client_, other.client_);
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~DeviceBuffer();

  [[nodiscard]] RawBuffer* raw() const noexcept { return raw_; }
  [[nodiscard]] const std::shared_ptr<const Client>& client() const noexcept { return client_; }

  /// Throws:  EnvironmentError where tensors have no such element type.
  [[nodiscard]] DType dtype() const;
  [[nodiscard]] Shape shape() const;
  /// How much of the device's memory it takes.
  [[nodiscard]] std::size_t bytes_on_device() const;
  /// Whether a program has taken its memory over.
  [[nodiscard]] bool is_deleted() const;

  /// Ready when the elements are there.
  [[nodiscard]] Event ready() const;

  /// The elements where they are, where that is memory of this process and their order row-major,
  /// which counts as a transfer; else null: they are to be copied. Waits for them. They stay as
  /// long as the buffer is there, and no program takes its memory over.
  ///
  /// Throws:  EnvironmentError with what the program that makes them has failed with.
  [[nodiscard]] const std::byte* elements_in_place() const;

  /// The elements, in row-major order, into `host`, which must be there until the event is ready.
  ///
  /// Throws:  UsageError where `host` has another size; EnvironmentError with the plugin's message.
  [[nodiscard]] Event copy_to_host(std::span<std::byte> host) const;

  /// As above, and waits. Of a device that shares the memory of the process, a plain copy.
  ///
  /// Throws:  also what the program that makes the elements has failed with.
  /// Cost:    of 16 floats on XLA's CPU 0.3 us; by copy_to_host and a wait 29 us: the plugin
  ///          copies on another thread (two processors, November 2026, PJRT 0.115).
  void take_to_host(std::span<std::byte> host) const;

  /// The same elements on another device of the client.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  [[nodiscard]] DeviceBuffer on(const DeviceInfo& device) const;

 private:
  std::shared_ptr<const Client> client_;
  RawBuffer* raw_;
};

}  // namespace ddx::backend::pjrt
