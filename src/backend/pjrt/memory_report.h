/// \file
/// What the error says if a device has no memory left.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"
#include "ddx/ops/site.h"

#include "backend/pjrt/client.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/program_memory.h"

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace ddx::backend::pjrt {

/// What the devices of a client report, as "; NAME has 1000 of 3000 bytes in use"; empty where the
/// plugin does not know.
[[nodiscard]] std::string memory_in_use(const Client& client);

/// The first operation of these with checks whose line is known, and the user's.
[[nodiscard]] std::optional<ops::Site> site_of_user(std::span<const ops::Check> checks) noexcept;

/// What is known of a program for the error that a device has no memory for it. May be used from
/// any thread.
class MemoryReport {
 public:
  /// `executable` is the graph compiled.
  MemoryReport(std::shared_ptr<const ir::Graph> graph, const Executable& executable);

  /// The error, if it is that of a plugin without memory, with the program, the operation of it
  /// whose line is known, what it needs, its largest arrays and the memory in use; any other error
  /// as it is.
  [[nodiscard]] std::exception_ptr explained(std::exception_ptr error,
                                             const std::optional<ops::Site>& site) const noexcept;

  /// Runs `f`, whose errors are explained.
  template <class F>
  auto explaining(std::span<const ops::Check> checks, F f) const {
    try {
      return f();
    } catch (...) {
      std::rethrow_exception(explained(std::current_exception(), site_of_user(checks)));
    }
  }

 private:
  [[nodiscard]] std::string text(const std::optional<ops::Site>& site) const;

  std::shared_ptr<const Client> client_;
  std::shared_ptr<const ir::Graph> graph_;
  std::optional<ProgramMemory> memory_;
};

}  // namespace ddx::backend::pjrt
