#include "ddx/core/error.h"

#include <source_location>
#include <string>

namespace ddx {
namespace {

/// " (at FILE:LINE)", or nothing for a location that nobody captured (line 0).
std::string suffix(const std::source_location& where) {
  if (where.line() == 0) {
    return "";
  }
  return std::string(" (at ") + where.file_name() + ":" + std::to_string(where.line()) + ")";
}

}  // namespace

UsageError::UsageError(const std::string& operation, const std::string& facts,
                       const std::source_location& where)
    : Error(operation + ": " + facts + suffix(where)) {}

EnvironmentError::EnvironmentError(const std::string& operation, const std::string& facts)
    : Error(operation + ": " + facts) {}

InternalError::InternalError(const std::string& operation, const std::string& facts)
    : Error(operation + ": " + facts + "; this is a defect of ddx, please report it") {}

}  // namespace ddx
