/// \file
/// Accelerators that a plugin compiles for without having them.

#pragma once

#include "backend/pjrt/named_value.h"
#include "backend/pjrt/plugin.h"
#include "backend/pjrt/program_memory.h"
#include "backend/pjrt/program_text.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ddx::backend::pjrt {

/// Devices that exist as a description. Owns the plugin's description of them. May be used from any
/// thread.
class Topology {
 public:
  /// The devices that a plugin's options describe, e.g. "target_config" and "topology" of CUDA's.
  ///
  /// Throws:  EnvironmentError with the plugin's message, or that it compiles only for devices that
  ///          are there.
  Topology(std::shared_ptr<const Plugin> plugin, std::span<const Named> options);
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  ~Topology();

  /// Compiles a program for these devices and returns the memory that it takes on each. `options`
  /// are the bytes of `encoded`.
  ///
  /// Throws:  EnvironmentError with the compiler's message.
  [[nodiscard]] ProgramMemory compile(const ProgramText& program, std::string_view options) const;

 private:
  std::shared_ptr<const Plugin> plugin_;
  RawTopology* raw_ = nullptr;
};

}  // namespace ddx::backend::pjrt
