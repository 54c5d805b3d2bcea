/// \file
/// The text of an error, for comparison.

#pragma once

#include "ddx/backend/asynchronous.h"
#include "ddx/core/device.h"

#include <cstdlib>
#include <source_location>
#include <string>

namespace ddx::testing {

/// A message without the line that debug information names: it is there in some builds of the tests
/// and not in others.
inline std::string without_called_at(const std::string& message) {
  return message.substr(0, message.rfind(" (called at "));
}

/// What f throws as an E, or a sentence saying that it did not. Where the message ends with the
/// place of the call of this function (the same file, at most 3 lines away: formatting may break
/// the statement), it ends with " (here)" instead. The line that
/// debug information names is left out.
template <class E, class F>
std::string thrown(F f, std::source_location here = std::source_location::current()) {
  try {
    f();
    backend::synchronize(Device::cpu());  // Where the tests run asynchronously, it comes out here.
  } catch (const E& error) {
    std::string message = without_called_at(error.what());
    const std::string place = std::string(" (at ") + here.file_name() + ":";
    const std::size_t found = message.rfind(place);
    if (found != std::string::npos) {
      const long line = std::strtol(message.c_str() + found + place.size(), nullptr, 10);
      if (std::labs(line - static_cast<long>(here.line())) <= 3) {
        message.replace(found, std::string::npos, " (here)");
      }
    }
    return message;
  }
  return "nothing was thrown";
}

}  // namespace ddx::testing
