/// \file
/// The part of PJRT's C interface that this back end calls: what lies where in its structs.
///
/// Names are PJRT's without their prefix and underscores. calls.def says which function takes which
/// struct, and what its size must be.
/// Source:  OpenXLA, xla/pjrt/c/pjrt_c_api.h, versions 0.57 to 0.116.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ddx::backend::pjrt {

/// Objects of the plugin.
struct RawError;
struct RawEvent;
struct RawClient;
struct RawDevice;
struct RawDeviceDescription;
struct RawMemory;
struct RawExecutable;
struct RawLoadedExecutable;
struct RawSerializedExecutable;
struct RawBuffer;
struct RawExecuteContext;
struct RawTopology;

/// What every struct begins with. `size` says how many bytes of it the caller knows: up to the end
/// of its last member, without padding behind that.
struct Head {
  std::size_t size = 0;
  void* extensions = nullptr;
};

/// What `GetPjrtApi` returns; `size` of the head and the functions from `functions` on.
struct ApiTable {
  Head head;
  Head version_head;
  int major = 0;
  int minor = 0;
};

/// A function of the table, before its type is known.
using AnyFunction = void (*)();

enum class ErrorCode : std::int32_t {
  Ok = 0,
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  DeadlineExceeded = 4,
  NotFound = 5,
  AlreadyExists = 6,
  PermissionDenied = 7,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Aborted = 10,
  OutOfRange = 11,
  Unimplemented = 12,
  Internal = 13,
  Unavailable = 14,
  DataLoss = 15,
  Unauthenticated = 16,
};

enum class NamedValueType : std::int32_t { String = 0, Int64, Int64List, Float, Bool };

enum class BufferType : std::int32_t {
  Invalid = 0,
  Pred,
  S8,
  S16,
  S32,
  S64,
  U8,
  U16,
  U32,
  U64,
  F16,
  F32,
  F64,
  Bf16,
  C64,
  C128,
};

/// What the plugin may do with the memory that a buffer is made from.
enum class HostBufferSemantics : std::int32_t {
  OnlyDuringCall = 0,      // It copies before it returns.
  UntilTransferCompletes,  // It reads until `done_with_host_buffer`.
  ImmutableZeroCopy,       // It may read as long as the buffer lives.
  MutableZeroCopy,         // And write, where the buffer is donated.
};

struct NamedValue {
  Head head;
  const char* name = nullptr;
  std::size_t name_size = 0;
  NamedValueType type = NamedValueType::String;
  union {
    const char* string;
    std::int64_t int64;
    const std::int64_t* int64_list;
    float number;
    bool boolean;
  };
  std::size_t value_size = 0;  // Of texts and lists the number of elements, else 1.
};

struct ErrorDestroyArgs {
  Head head;
  RawError* error = nullptr;
};

struct ErrorMessageArgs {
  Head head;
  const RawError* error = nullptr;
  const char* message = nullptr;
  std::size_t message_size = 0;
};

struct ErrorGetCodeArgs {
  Head head;
  const RawError* error = nullptr;
  ErrorCode code = ErrorCode::Ok;
};

struct PluginInitializeArgs {
  Head head;
};

struct PluginAttributesArgs {
  Head head;
  const NamedValue* attributes = nullptr;
  std::size_t attribute_count = 0;
};

struct EventDestroyArgs {
  Head head;
  RawEvent* event = nullptr;
};

struct EventIsReadyArgs {
  Head head;
  RawEvent* event = nullptr;
  bool is_ready = false;
};

struct EventAwaitArgs {
  Head head;
  RawEvent* event = nullptr;
};

/// Owns the error.
using EventCallback = void (*)(RawError* error, void* argument);

struct EventOnReadyArgs {
  Head head;
  RawEvent* event = nullptr;
  EventCallback callback = nullptr;
  void* argument = nullptr;
};

struct ClientCreateArgs {
  Head head;
  const NamedValue* options = nullptr;
  std::size_t option_count = 0;
  AnyFunction key_value_get = nullptr;
  void* key_value_get_argument = nullptr;
  AnyFunction key_value_put = nullptr;
  void* key_value_put_argument = nullptr;
  RawClient* client = nullptr;
  AnyFunction key_value_try_get = nullptr;
  void* key_value_try_get_argument = nullptr;
};

struct ClientDestroyArgs {
  Head head;
  RawClient* client = nullptr;
};

struct ClientPlatformNameArgs {
  Head head;
  RawClient* client = nullptr;
  const char* name = nullptr;
  std::size_t name_size = 0;
};

struct ClientPlatformVersionArgs {
  Head head;
  RawClient* client = nullptr;
  const char* version = nullptr;
  std::size_t version_size = 0;
};

struct ClientAddressableDevicesArgs {
  Head head;
  RawClient* client = nullptr;
  RawDevice* const* devices = nullptr;
  std::size_t device_count = 0;
};

struct Program {
  Head head;
  char* code = nullptr;
  std::size_t code_size = 0;
  const char* format = nullptr;
  std::size_t format_size = 0;
};

struct ClientCompileArgs {
  Head head;
  RawClient* client = nullptr;
  const Program* program = nullptr;
  const char* options = nullptr;
  std::size_t options_size = 0;
  RawLoadedExecutable* executable = nullptr;
};

struct ClientBufferFromHostBufferArgs {
  Head head;
  RawClient* client = nullptr;
  const void* data = nullptr;
  BufferType type = BufferType::Invalid;
  const std::int64_t* extents = nullptr;
  std::size_t rank = 0;
  const std::int64_t* byte_strides = nullptr;  // Null: dense, row-major.
  std::size_t byte_stride_count = 0;
  HostBufferSemantics semantics = HostBufferSemantics::OnlyDuringCall;
  RawDevice* device = nullptr;
  RawMemory* memory = nullptr;  // Null: the device's own.
  void* device_layout = nullptr;
  RawEvent* done_with_host_buffer = nullptr;
  RawBuffer* buffer = nullptr;
};

struct DeviceDescriptionIdArgs {
  Head head;
  RawDeviceDescription* description = nullptr;
  int id = 0;
};

struct DeviceDescriptionKindArgs {
  Head head;
  RawDeviceDescription* description = nullptr;
  const char* kind = nullptr;
  std::size_t kind_size = 0;
};

struct DeviceDescriptionDebugStringArgs {
  Head head;
  RawDeviceDescription* description = nullptr;
  const char* text = nullptr;
  std::size_t text_size = 0;
};

struct DeviceGetDescriptionArgs {
  Head head;
  RawDevice* device = nullptr;
  RawDeviceDescription* description = nullptr;
};

struct DeviceLocalHardwareIdArgs {
  Head head;
  RawDevice* device = nullptr;
  int id = -1;
};

/// A number that the plugin need not know.
struct OptionalCount {
  std::int64_t value = 0;
  bool is_set = false;
};

struct DeviceMemoryStatsArgs {
  Head head;
  RawDevice* device = nullptr;
  std::int64_t bytes_in_use = 0;
  OptionalCount peak_bytes_in_use{};
  OptionalCount allocations{};
  OptionalCount largest_allocation{};
  OptionalCount bytes_limit{};
  OptionalCount bytes_reserved{};
  OptionalCount peak_bytes_reserved{};
  OptionalCount bytes_reservable_limit{};
  OptionalCount largest_free_block{};
  std::int64_t pool_bytes = 0;
  bool pool_bytes_is_set = false;
  std::int64_t peak_pool_bytes = 0;
  bool peak_pool_bytes_is_set = false;
};

struct ExecutableDestroyArgs {
  Head head;
  RawExecutable* executable = nullptr;
};

struct ExecutableNumOutputsArgs {
  Head head;
  RawExecutable* executable = nullptr;
  std::size_t count = 0;
};

struct ExecutableSerializeArgs {
  Head head;
  const RawExecutable* executable = nullptr;
  const char* bytes = nullptr;
  std::size_t size = 0;
  RawSerializedExecutable* owner = nullptr;
  void (*destroy_owner)(RawSerializedExecutable*) = nullptr;
};

struct LoadedExecutableDestroyArgs {
  Head head;
  RawLoadedExecutable* executable = nullptr;
};

struct LoadedExecutableGetExecutableArgs {
  Head head;
  RawLoadedExecutable* loaded = nullptr;
  RawExecutable* executable = nullptr;
};

struct LoadedExecutableAddressableDevicesArgs {
  Head head;
  RawLoadedExecutable* executable = nullptr;
  RawDevice* const* devices = nullptr;
  std::size_t device_count = 0;
};

struct ExecuteOptions {
  Head head;
  void* send_callbacks = nullptr;
  void* receive_callbacks = nullptr;
  std::size_t send_count = 0;
  std::size_t receive_count = 0;
  int launch_id = 0;
  const std::int64_t* non_donatable = nullptr;
  std::size_t non_donatable_count = 0;
  RawExecuteContext* context = nullptr;
  const char* call_location = nullptr;
  std::size_t task_count = 0;
  int* task_ids = nullptr;
  std::int64_t* incarnation_ids = nullptr;
};

struct LoadedExecutableExecuteArgs {
  Head head;
  RawLoadedExecutable* executable = nullptr;
  ExecuteOptions* options = nullptr;
  RawBuffer* const* const* arguments = nullptr;  // By device, then by parameter.
  std::size_t device_count = 0;
  std::size_t argument_count = 0;
  RawBuffer** const* outputs = nullptr;  // By device, then by result; the caller's memory.
  RawEvent** completions = nullptr;      // By device; null: not asked for.
  RawDevice* device = nullptr;           // Of a portable executable.
};

struct ExecutableDeserializeAndLoadArgs {
  Head head;
  RawClient* client = nullptr;
  const char* bytes = nullptr;
  std::size_t size = 0;
  RawLoadedExecutable* executable = nullptr;
  const char* overridden_options = nullptr;
  std::size_t overridden_options_size = 0;
};

struct BufferDestroyArgs {
  Head head;
  RawBuffer* buffer = nullptr;
};

struct BufferElementTypeArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  BufferType type = BufferType::Invalid;
};

struct BufferDimensionsArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  const std::int64_t* extents = nullptr;
  std::size_t rank = 0;
};

struct BufferOnDeviceSizeInBytesArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  std::size_t bytes = 0;
};

struct BufferIsDeletedArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  bool is_deleted = false;
};

struct BufferCopyToDeviceArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  RawDevice* device = nullptr;
  RawBuffer* copy = nullptr;
};

/// The order of elements in memory: which axis has neighbours next to each other, and so on.
struct TiledLayout {
  Head head;
  const std::int64_t* minor_to_major = nullptr;
  std::size_t rank = 0;
  const std::int64_t* tile_extents = nullptr;
  const std::size_t* tile_ranks = nullptr;
  std::size_t tile_count = 0;
};

/// The longest member of a union, and which one is meant.
struct MemoryLayout {
  Head head;
  TiledLayout tiled;
  std::int32_t type = 0;
};

struct BufferGetMemoryLayoutArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  MemoryLayout layout{};
};

struct BufferIsOnCpuArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  bool is_on_cpu = false;
};

struct BufferUnsafePointerArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  std::uintptr_t pointer = 0;
};

struct BufferToHostBufferArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  MemoryLayout* layout = nullptr;  // Null: the order on the device.
  void* data = nullptr;            // Null: only `bytes` is reported.
  std::size_t bytes = 0;
  RawEvent* event = nullptr;
};

struct BufferReadyEventArgs {
  Head head;
  RawBuffer* buffer = nullptr;
  RawEvent* event = nullptr;
};

struct TopologyDescriptionCreateArgs {
  Head head;
  const char* name = nullptr;
  std::size_t name_size = 0;
  const NamedValue* options = nullptr;
  std::size_t option_count = 0;
  RawTopology* topology = nullptr;
};

struct TopologyDescriptionDestroyArgs {
  Head head;
  RawTopology* topology = nullptr;
};

struct CompileArgs {
  Head head;
  const RawTopology* topology = nullptr;
  const Program* program = nullptr;
  const char* options = nullptr;
  std::size_t options_size = 0;
  RawClient* client = nullptr;  // None: no device need be there.
  RawExecutable* executable = nullptr;
};

struct ExecutableGetCompiledMemoryStatsArgs {
  Head head;
  RawExecutable* executable = nullptr;
  std::int64_t code_bytes = 0;
  std::int64_t argument_bytes = 0;
  std::int64_t result_bytes = 0;
  std::int64_t alias_bytes = 0;
  std::int64_t temporary_bytes = 0;
  std::int64_t host_code_bytes = 0;
  std::int64_t host_argument_bytes = 0;
  std::int64_t host_result_bytes = 0;
  std::int64_t host_alias_bytes = 0;
  std::int64_t host_temporary_bytes = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t total_bytes = 0;
};

}  // namespace ddx::backend::pjrt
