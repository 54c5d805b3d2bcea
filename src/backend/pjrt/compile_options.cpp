#include "backend/pjrt/compile_options.h"

#include "ddx/core/error.h"

#include "backend/pjrt/named_value.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

/// A message of Protocol Buffers: numbered fields, one behind the other.
class Message {
 public:
  void add(int field, std::int64_t number) {
    add_varint(static_cast<std::uint64_t>(field) << 3);
    add_varint(static_cast<std::uint64_t>(number));
  }
  void add(int field, std::string_view bytes) {
    add_varint(static_cast<std::uint64_t>(field) << 3 | 2);
    add_varint(bytes.size());
    bytes_ += bytes;
  }
  void add(int field, const Message& message) { add(field, message.bytes()); }
  void add_double(int field, double number) {
    add_varint(static_cast<std::uint64_t>(field) << 3 | 1);
    auto bits = std::bit_cast<std::uint64_t>(number);
    for (int i = 0; i < 8; ++i, bits >>= 8) {
      bytes_ += static_cast<char>(bits & 0xFF);
    }
  }
  void add_packed(int field, std::span<const std::int64_t> numbers) {
    Message packed;
    for (const std::int64_t number : numbers) {
      packed.add_varint(static_cast<std::uint64_t>(number));
    }
    add(field, packed);
  }

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  void add_varint(std::uint64_t number) {
    for (; number >= 128; number >>= 7) {
      bytes_ += static_cast<char>((number & 127) | 128);
    }
    bytes_ += static_cast<char>(number);
  }

  std::string bytes_;
};

/// xla.DeviceAssignmentProto: for each partition, the devices of its replicas.
Message device_assignment(const CompileOptions& options) {
  Message assignment;
  assignment.add(1, options.replicas);
  assignment.add(2, options.partitions);
  for (std::int64_t partition = 0; partition < options.partitions; ++partition) {
    std::vector<std::int64_t> of_replicas;
    for (std::int64_t replica = 0; replica < options.replicas; ++replica) {
      of_replicas.push_back(
          options.devices[static_cast<std::size_t>(replica * options.partitions + partition)]);
    }
    Message devices;
    devices.add_packed(1, of_replicas);
    assignment.add(3, devices);
  }
  return assignment;
}

/// xla.ExecutableBuildOptionsProto.
Message build_options(const CompileOptions& options) {
  Message build;
  build.add(1, -1);  // No device is preferred.
  build.add(4, options.replicas);
  build.add(5, options.partitions);
  if (options.spmd_partitioning) {
    build.add(6, 1);
  }
  if (!options.devices.empty()) {
    build.add(9, device_assignment(options));
  }
  if (options.shardy) {
    build.add(19, 1);
  }
  return build;
}

/// xla.OptionOverrideProto, as the value in an entry of a map.
Message flag(const Named& named) {
  Message value;
  if (const auto* text = std::get_if<std::string>(&named.value)) {
    value.add(1, std::string_view(*text));
  } else if (const auto* truth = std::get_if<bool>(&named.value)) {
    value.add(2, *truth ? 1 : 0);
  } else if (const auto* integer = std::get_if<std::int64_t>(&named.value)) {
    value.add(3, *integer);
  } else if (const auto* number = std::get_if<float>(&named.value)) {
    value.add_double(4, *number);
  } else {
    throw UsageError("compile for PJRT", "flag " + to_string(named) + " is a list");
  }
  Message entry;
  entry.add(1, std::string_view(named.name));
  entry.add(2, value);
  return entry;
}

}  // namespace

std::string encoded(const CompileOptions& options) {
  const std::int64_t programs = options.replicas * options.partitions;
  const bool is_portable = options.devices.empty();
  if (options.replicas < 1 || options.partitions < 1 ||
      (is_portable ? programs != 1
                   : programs != static_cast<std::int64_t>(options.devices.size()))) {
    throw UsageError("compile for PJRT", std::to_string(options.replicas) + " replicas of " +
                                             std::to_string(options.partitions) +
                                             " partitions on " +
                                             std::to_string(options.devices.size()) + " devices");
  }
  Message all;
  all.add(3, build_options(options));
  if (is_portable) {
    all.add(4, 1);
  }
  return all.bytes() + encoded_flags(options.flags);
}

std::string encoded_flags(std::span<const Named> flags) {
  Message all;
  for (const Named& one : flags) {
    all.add(7, flag(one));
  }
  return all.bytes();
}

}  // namespace ddx::backend::pjrt
