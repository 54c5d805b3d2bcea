/// \file
/// A program that has been compiled for devices.

#pragma once

#include "ddx/core/error.h"

#include "backend/pjrt/client.h"
#include "backend/pjrt/compile_options.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/program_memory.h"
#include "backend/pjrt/program_text.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

/// Whether an error of `compile` is the compiler's word that it does not know how to do what the
/// program asks for (its code is UNIMPLEMENTED).
[[nodiscard]] bool is_not_implemented(const EnvironmentError& error) noexcept;

/// What a run gets besides its arguments.
struct RunOptions {
  /// Parameters that the program may take over, as its text says, but not in this run. Plugins
  /// other than XLA's may ignore it: then only another text helps.
  std::vector<std::int64_t> kept = {};
  /// Where the program asks for the run, for the plugin's profiles.
  std::string call_location = {};
};

/// Owns a compiled program. May be used from any thread; runs of it may overlap.
class Executable {
 public:
  /// Compiles.
  ///
  /// Throws:  EnvironmentError with the compiler's message; UsageError for options that contradict
  ///          each other.
  [[nodiscard]] static Executable compile(const std::shared_ptr<const Client>& client,
                                          const ProgramText& program,
                                          const CompileOptions& options = {});

  /// What `serialised` of an executable has returned, by this plugin in this or another process.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  [[nodiscard]] static Executable deserialised(const std::shared_ptr<const Client>& client,
                                               std::string_view bytes);

  Executable(Executable&& other) noexcept
      : client_(std::move(other.client_)),
        raw_(std::exchange(other.raw_, nullptr)),
        result_count_(other.result_count_),
        memory_(other.memory_),
        device_count_(other.device_count_) {}
  Executable& operator=(Executable other) noexcept {
    std::swap(client_, other.client_);
    std::swap(raw_, other.raw_);
    std::swap(result_count_, other.result_count_);
    std::swap(memory_, other.memory_);
    std::swap(device_count_, other.device_count_);
    return *this;
  }
  ~Executable();

  [[nodiscard]] const std::shared_ptr<const Client>& client() const noexcept { return client_; }
  [[nodiscard]] std::size_t result_count() const noexcept { return result_count_; }
  /// How many devices a run takes; 1 for a portable program.
  [[nodiscard]] std::size_t device_count() const noexcept { return device_count_; }

  /// The memory that a run takes on each device; none where the plugin does not say.
  [[nodiscard]] const std::optional<ProgramMemory>& memory() const noexcept { return memory_; }

  /// The executable as bytes for another process; none where the plugin cannot do that.
  [[nodiscard]] std::optional<std::string> serialised() const;

  /// Starts a portable program on a device. Returns before it is done; its results may be arguments
  /// of the next program at once. What fails later, fails where results are looked at.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  [[nodiscard]] std::vector<DeviceBuffer> run(std::span<const DeviceBuffer* const> arguments,
                                              const DeviceInfo& device,
                                              const RunOptions& options = {}) const;

  /// Starts the program on all its devices, with the arguments of each, in the order of
  /// CompileOptions::devices. As `run`; returns the results of each.
  ///
  /// Throws:  UsageError where there are not arguments for each device, or not equally many.
  [[nodiscard]] std::vector<std::vector<DeviceBuffer>> run_on_all(
      std::span<const std::vector<const DeviceBuffer*>> arguments,
      const RunOptions& options = {}) const;

 private:
  Executable(std::shared_ptr<const Client> client, RawLoadedExecutable* raw);
  void read_facts();
  [[nodiscard]] std::vector<std::vector<DeviceBuffer>> start(
      std::span<RawBuffer* const* const> arguments, std::size_t argument_count, RawDevice* device,
      const RunOptions& options) const;

  std::shared_ptr<const Client> client_;
  RawLoadedExecutable* raw_;
  std::size_t result_count_ = 0;
  std::optional<ProgramMemory> memory_;
  std::size_t device_count_ = 1;
};

}  // namespace ddx::backend::pjrt
