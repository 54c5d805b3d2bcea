/// \file
/// How the parts of a reader say what is wrong with a file.

#pragma once

#include <functional>
#include <string>

namespace ddx::io::detail {

/// Says what is wrong with a file: throws, and does not return.
using Refusal = std::function<void(const std::string& facts)>;

}  // namespace ddx::io::detail
