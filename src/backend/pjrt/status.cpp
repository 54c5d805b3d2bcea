#include "backend/pjrt/status.h"

#include <string>
#include <string_view>

namespace ddx::backend::pjrt {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::Ok:
      return "OK";
    case ErrorCode::Cancelled:
      return "CANCELLED";
    case ErrorCode::Unknown:
      return "UNKNOWN";
    case ErrorCode::InvalidArgument:
      return "INVALID_ARGUMENT";
    case ErrorCode::DeadlineExceeded:
      return "DEADLINE_EXCEEDED";
    case ErrorCode::NotFound:
      return "NOT_FOUND";
    case ErrorCode::AlreadyExists:
      return "ALREADY_EXISTS";
    case ErrorCode::PermissionDenied:
      return "PERMISSION_DENIED";
    case ErrorCode::ResourceExhausted:
      return "RESOURCE_EXHAUSTED";
    case ErrorCode::FailedPrecondition:
      return "FAILED_PRECONDITION";
    case ErrorCode::Aborted:
      return "ABORTED";
    case ErrorCode::OutOfRange:
      return "OUT_OF_RANGE";
    case ErrorCode::Unimplemented:
      return "UNIMPLEMENTED";
    case ErrorCode::Internal:
      return "INTERNAL";
    case ErrorCode::Unavailable:
      return "UNAVAILABLE";
    case ErrorCode::DataLoss:
      return "DATA_LOSS";
    case ErrorCode::Unauthenticated:
      return "UNAUTHENTICATED";
  }
  return "a code that is not known";  // Plugins are newer than this list.
}

Status first_line(const Status& status) {
  return {status.code, status.message.substr(0, status.message.find('\n'))};
}

std::string to_string(const Status& status) {
  std::string_view message = status.message;
  const std::size_t last = message.find_last_not_of(" \t\r\n.");
  message = message.substr(0, last == std::string_view::npos ? 0 : last + 1);
  std::string text(message.empty() ? "no message" : message);
  return text + " (" + std::string(to_string(status.code)) + ")";
}

}  // namespace ddx::backend::pjrt
