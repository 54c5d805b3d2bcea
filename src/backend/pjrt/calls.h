/// \file
/// Which function of a plugin takes which struct.

#pragma once

#include "backend/pjrt/c_api.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ddx::backend::pjrt {

/// Whether a plugin is of use without a function.
enum class Need : std::uint8_t { Core, Extra };

/// One row of the table of functions.
struct CallInfo {
  std::size_t place;  // Among the functions of the plugin.
  std::string_view name;
  std::size_t bytes;  // Of its struct, as this version knows it.
  Need need;
  RawError* (*call)(AnyFunction, void*);
};

/// Where the functions begin in the table, and how far one is from the next.
inline constexpr std::size_t functions_begin = 40;
inline constexpr std::size_t function_bytes = sizeof(AnyFunction);
static_assert(sizeof(ApiTable) == functions_begin && function_bytes == 8);

/// Calls a function with the struct of its own type.
template <class Args>
RawError* call_typed(AnyFunction function, void* args) {
  return reinterpret_cast<RawError* (*)(Args*)>(function)(static_cast<Args*>(args));
}

/// The function that takes this struct.
template <class Args>
inline constexpr CallInfo info_of{};

#define DDX_PJRT_CALL(place, name, args, last, bytes, need)                                    \
  template <>                                                                                  \
  inline constexpr CallInfo info_of<args>{place, #name, bytes, Need::need, &call_typed<args>}; \
  static_assert(offsetof(args, last) + sizeof(args::last) == bytes, "the layout of " #args);
#include "backend/pjrt/calls.def"

/// All functions that are called, in the order of the plugin's table.
inline constexpr auto all_calls = std::to_array<CallInfo>({
#define DDX_PJRT_CALL(place, name, args, last, bytes, need) info_of<args>,
#include "backend/pjrt/calls.def"
});

}  // namespace ddx::backend::pjrt
