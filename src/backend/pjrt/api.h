/// \file
/// The functions of a plugin, called safely across versions.

#pragma once

#include "ddx/core/detail/fork_gate.h"

#include "backend/pjrt/c_api.h"
#include "backend/pjrt/calls.h"
#include "backend/pjrt/status.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ddx::backend::pjrt {

/// A struct that a plugin reads through a pointer of another one, with zeros behind it: what a
/// newer plugin reads there means what it means by default.
template <class Struct>
struct Extended {
  Struct value;
  std::array<std::byte, 128> tail{};
};

/// A struct of that kind, for the case that the plugin complains of its size.
struct Nested {
  Head* head = nullptr;  // Null: there is none.
  std::size_t most = 0;  // Bytes that it may be said to have.
  std::atomic<std::uint32_t>* known = nullptr;
};

/// The functions of one plugin. It may be called from any thread.
///
/// A plugin of XLA refuses a struct that is shorter than its own, and one of others a struct that
/// is longer; both say what they expect. Then the call is made once more with that size, over
/// zeros, and every later call has it at once.
///
/// A plugin has threads. In a process that is forked from the one that loaded it every call fails,
/// and none reaches the plugin.
class Api {
 public:
  /// What `GetPjrtApi` has returned. The table is the plugin's and stays.
  ///
  /// Throws:  EnvironmentError where the plugin is of another major version, older than
  ///          `oldest_minor`, or lacks a Core function. `operation` opens the message.
  Api(const ApiTable& table, const std::string& operation);
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  /// The version that moved functions within the table; older versions cannot be distinguished.
  static constexpr int oldest_minor = 57;

  [[nodiscard]] int major() const noexcept { return table_.major; }
  [[nodiscard]] int minor() const noexcept { return table_.minor; }

  /// Whether the plugin has the function that takes this struct.
  template <class Args>
  [[nodiscard]] bool has() const noexcept {
    return function(info_of<Args>.place) != nullptr;
  }

  /// Calls the function that takes this struct. `args.head` is filled in.
  ///
  /// Throws:  std::bad_alloc.
  template <class Args>
  [[nodiscard]] Status try_call(Args& args, const Nested& nested = {}) const {
    static_assert(offsetof(Args, head) == 0);
    return invoke(info_of<Args>, &args.head, nested);
  }

  /// Throws:  EnvironmentError "operation: the plugin's message (CODE)".
  template <class Args>
  void call(const std::string& operation, Args& args, const Nested& nested = {}) const {
    throw_unless_ok(operation, try_call(args, nested));
  }

  /// As try_call, for destructors: a failure there is of no use to a caller.
  template <class Args>
  void call_to_destroy(Args& args) const noexcept {
    try {
      (void)try_call(args);
    } catch (...) {  // No memory for the message.
    }
  }

  /// What an error says; the error is destroyed. Null is success.
  [[nodiscard]] Status take(RawError* error) const;

  /// Options of a run with the size that this plugin wants.
  [[nodiscard]] Nested nested(Extended<ExecuteOptions>& options) const noexcept {
    return nested(options, execute_options_bytes_);
  }
  [[nodiscard]] Nested nested(Extended<Program>& program) const noexcept {
    return nested(program, program_bytes_);
  }

  /// Throws:  EnvironmentError with the message of a status that is not ok.
  static void throw_unless_ok(const std::string& operation, const Status& status);

 private:
  template <class Struct>
  static Nested nested(Extended<Struct>& extended, std::atomic<std::uint32_t>& known) noexcept {
    extended.value.head.size = known.load(std::memory_order_relaxed);
    return {&extended.value.head, sizeof extended, &known};
  }

  [[nodiscard]] AnyFunction function(std::size_t place) const noexcept;
  [[nodiscard]] Status invoke(const CallInfo& call, Head* args, const Nested& nested) const;
  /// Calls with a struct of another size than the one that this version knows.
  RawError* invoke_resized(const CallInfo& call, Head* args, std::size_t bytes) const;

  static constexpr std::size_t most_places = 256;

  const ApiTable& table_;
  std::uint64_t forks_ = ddx::detail::fork_count();  // Before it was loaded.
  // By the place of the function: the size that the plugin has asked for; 0: none.
  mutable std::array<std::atomic<std::uint16_t>, most_places> asked_bytes_{};
  mutable std::atomic<std::uint32_t> execute_options_bytes_;
  mutable std::atomic<std::uint32_t> program_bytes_;
};

}  // namespace ddx::backend::pjrt
