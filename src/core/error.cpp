#include "ddx/core/error.h"

#include "core/call_stack/called_at.h"
#include "core/call_stack/library_files.h"

#include <source_location>
#include <string>

namespace ddx {
namespace {

/// " (at FILE:LINE)" of the user's line. An operator has captured none, and one that a layer has
/// captured is the library's: then what the call stack leads to, else what was captured.
std::string suffix(const std::source_location& where) {
  if (!is_users(where)) {
    if (std::string called = called_at(); !called.empty() || where.line() == 0) {
      return called;
    }
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
