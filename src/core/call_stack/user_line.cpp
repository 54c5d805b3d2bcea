#include "core/call_stack/user_line.h"

#include "ddx/core/detail/fork_gate.h"

#include "core/call_stack/call_stack.h"
#include "core/call_stack/called_function.h"
#include "core/call_stack/debug_information.h"
#include "core/call_stack/libdw.h"
#include "core/call_stack/library_files.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ddx {
namespace {

using Kind = UserLine::Kind;

/// Goes from the innermost call outwards.
class Walk {
 public:
  explicit Walk(DebugInformation& information) : information_(information) {
    // As the debug information spells it, where the library has any.
    const auto& places =
        information_.places_at(reinterpret_cast<std::uintptr_t>(&user_line)).places;
    if (!places.empty()) {
      const std::string& own = places.back().file;
      sources_ = own.substr(0, own.rfind("core/call_stack/"));
    }
  }

  UserLine run(const CallStack& stack) {
    bool is_first = true;
    for (const std::uintptr_t return_address : stack.return_addresses()) {
      // What has called the innermost function is the first call to be seen.
      if (!std::exchange(is_first, false) && !calls_library(return_address)) {
        break;
      }
      if (const auto found = at(return_address - 1)) {
        return *found;
      }
    }
    return {any_information_ ? Kind::Unclear : Kind::NoDebugInformation, "", 0};
  }

 private:
  /// What there is at an instruction, where it is not this library alone.
  std::optional<UserLine> at(std::uintptr_t address) {
    const auto& [places, is_complete] = information_.places_at(address);
    if (places.empty()) {
      return is_library_symbol(information_.symbol_at(address))
                 ? std::nullopt
                 : std::optional(UserLine{Kind::NoDebugInformation, "", 0});
    }
    const bool is_own = !sources_.empty() && places.back().file.starts_with(sources_);
    any_information_ = any_information_ || !is_own;
    for (const SourcePlace& place : places) {
      const bool is_made = is_derivative(place.function);
      if (is_of_derivatives(place.file)) {
        passed_derivative_ = true;
      } else if (!is_passed_over(place.file)) {
        return place.line == 0 || place.file.empty()
                   ? UserLine{Kind::Unclear, "", 0}
                   : UserLine{kind_of(place.function, is_made), place.file, place.line};
      }
    }
    // Else the user's function has been passed over, in which all that was described is inlined.
    const std::string& function = places.back().function;
    return is_complete && (is_library_symbol(function) || is_derivative(function))
               ? std::nullopt
               : std::optional(UserLine{Kind::Unclear, "", 0});
  }

  [[nodiscard]] Kind kind_of(std::string_view function, bool is_made) const {
    if (is_made && function.find("_forward") == std::string_view::npos) {
      return Kind::OfDerivative;  // A line of the user's stands there in what was made.
    }
    return passed_derivative_ ? Kind::CallsDerivative : Kind::Exact;
  }

  [[nodiscard]] bool is_passed_over(std::string_view file) const {
    return is_of_library(file) || is_of_standard_library(file) ||
           (!sources_.empty() && file.starts_with(sources_));
  }

  /// Whether the call before a return address is one of a function that `at` passes over.
  [[nodiscard]] bool calls_library(std::uintptr_t return_address) {
    const auto function = called_function(return_address);
    if (!function) {
      return false;
    }
    const auto& places = information_.places_at(*function).places;
    if (places.empty()) {
      return is_library_symbol(information_.symbol_at(*function));
    }
    const std::string_view file = places.back().file;
    return is_passed_over(file) || is_of_derivatives(file) || is_derivative(places.back().function);
  }

  DebugInformation& information_;
  std::string sources_;           // The folder of the library's sources; empty: they have no lines.
  bool any_information_ = false;  // Of others than those.
  bool passed_derivative_ = false;
};

}  // namespace

UserLine user_line(const CallStack& stack) {
  static constinit ddx::detail::ForkSafeMutex one_at_a_time;
  const Libdw* const library = libdw();
  if (library == nullptr) {
    return {Kind::NoReader, "", 0};
  }
  const std::scoped_lock lock(one_at_a_time);
  // Never destroyed: destructors of globals may fail too.
  static auto& information = *new DebugInformation(*library);
  information.update();
  const UserLine line = Walk(information).run(stack);
  information.close();
  return line;
}

}  // namespace ddx
