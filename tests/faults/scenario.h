/// \file
/// What the library is to do while calls of the system fail.

#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace ddx::faults {

/// One use of the library. It is made before anything fails.
class Scenario {
 public:
  Scenario() = default;
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;
  virtual ~Scenario() = default;

  /// Runs while calls fail: succeeds or throws EnvironmentError.
  virtual void attempt() = 0;
  /// Runs when calls succeed again. Throws what is wrong: a result that is neither the old nor the
  /// new one, a library that does not work.
  virtual void check(bool has_succeeded) = 0;
};

/// A row of the table. `folder` is empty and the scenario's own.
struct Row {
  const char* name;
  std::unique_ptr<Scenario> (*make)(const std::filesystem::path& folder);
  bool is_in_short_run = true;
  /// Whether the scenario asks for memory itself, as the derivatives in it do: std::bad_alloc may
  /// leave.
  bool has_own_memory = false;
};

/// A scenario of this class, for the table.
template <class Kind>
std::unique_ptr<Scenario> make(const std::filesystem::path& folder) {
  return std::make_unique<Kind>(folder);
}

/// Throws:  std::runtime_error with this text where a condition does not hold.
inline void expect(bool holds, const std::string& text) {
  if (!holds) {
    throw std::runtime_error(text);
  }
}

[[nodiscard]] std::span<const Row> tensor_scenarios();
[[nodiscard]] std::span<const Row> plan_scenarios();
[[nodiscard]] std::span<const Row> file_scenarios();
[[nodiscard]] std::span<const Row> training_scenarios();

}  // namespace ddx::faults
