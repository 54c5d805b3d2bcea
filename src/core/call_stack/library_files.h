/// \file
/// What of a program is this library, and what the user's.

#pragma once

#include <source_location>
#include <string_view>

namespace ddx {

/// Whether a source file is one of this library: its public headers, or its own sources. Its tests
/// and examples are programs of users.
[[nodiscard]] bool is_of_library(std::string_view file) noexcept;

/// Whether a line is known, and the user's.
[[nodiscard]] bool is_users(const std::source_location& where) noexcept;

/// Whether a source file is one of the C++ standard library.
[[nodiscard]] bool is_of_standard_library(std::string_view file) noexcept;

/// Whether a source file is what the compiler plugin has made.
[[nodiscard]] bool is_of_derivatives(std::string_view file) noexcept;

/// Whether a function, by its mangled name, is of this library or of the standard library. Of
/// namespaces ddx: to be asked only where no file is known.
[[nodiscard]] bool is_library_symbol(std::string_view name) noexcept;

/// Whether a function, by whatever name, is one that the compiler plugin has made.
[[nodiscard]] bool is_derivative(std::string_view name) noexcept;

}  // namespace ddx
