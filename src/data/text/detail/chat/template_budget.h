/// \file
/// How much work a chat template may cost.

#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace ddx::data::detail {

/// Counts what a template does, and the bytes of what it makes.
class TemplateBudget {
 public:
  TemplateBudget(std::int64_t steps, std::int64_t bytes)
      : steps_(steps), bytes_(bytes), most_steps_(steps), most_bytes_(bytes) {}

  /// Throws: std::length_error where there are no more.
  void spend_steps(std::size_t count) {
    if (static_cast<std::uint64_t>(count) > static_cast<std::uint64_t>(steps_)) {
      throw std::length_error("takes more than " + std::to_string(most_steps_) + " steps");
    }
    steps_ -= static_cast<std::int64_t>(count);
  }
  void spend_bytes(std::size_t count) {
    if (static_cast<std::uint64_t>(count) > static_cast<std::uint64_t>(bytes_)) {
      throw std::length_error("makes more than " + std::to_string(most_bytes_) + " bytes of texts");
    }
    bytes_ -= static_cast<std::int64_t>(count);
  }

 private:
  std::int64_t steps_;
  std::int64_t bytes_;
  std::int64_t most_steps_;
  std::int64_t most_bytes_;
};

}  // namespace ddx::data::detail
