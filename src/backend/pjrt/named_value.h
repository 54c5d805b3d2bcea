/// \file
/// Values with names: what clients are made with, and what plugins tell of themselves.

#pragma once

#include "ddx/backend/pjrt.h"

#include "backend/pjrt/c_api.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ddx::backend::pjrt {

/// A value with a name.
struct Named {
  std::string name;
  std::variant<std::string, std::int64_t, std::vector<std::int64_t>, float, bool> value;

  friend bool operator==(const Named&, const Named&) = default;
};

/// Renders as "name=value", a list as "name=[1, 2]".
[[nodiscard]] std::string to_string(const Named& named);

/// The options of a caller of the library.
[[nodiscard]] std::vector<Named> named(std::span<const PjrtOption> options);

/// The structs that say the same. They refer to `named`.
[[nodiscard]] std::vector<NamedValue> to_raw(std::span<const Named> named);

/// What a plugin's structs say. A type that is not known is left out.
[[nodiscard]] std::vector<Named> from_raw(const NamedValue* values, std::size_t count);

}  // namespace ddx::backend::pjrt
