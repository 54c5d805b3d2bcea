/// \file
/// What a call instruction calls.

#pragma once

#include <cstdint>
#include <optional>

namespace ddx {

/// The address of the function that the instruction before a return address calls, where the
/// instruction names it, itself or by way of the tables of dynamic linking; none where it takes it
/// from elsewhere, and on processors that are no x86-64. Memory that is not there is no error.
[[nodiscard]] std::optional<std::uintptr_t> called_function(std::uintptr_t return_address) noexcept;

}  // namespace ddx
