#include "backend/pjrt/api.h"

#include "ddx/core/error.h"

#include "backend/pjrt/advice.h"
#include "backend/pjrt/status.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

// More than any struct has grown by, and enough to see that a message is not about sizes.
constexpr std::size_t most_struct_bytes = 4096;

constexpr std::uint32_t execute_options_bytes =
    offsetof(ExecuteOptions, incarnation_ids) + sizeof(ExecuteOptions::incarnation_ids);
constexpr std::uint32_t program_bytes =
    offsetof(Program, format_size) + sizeof(Program::format_size);
static_assert(execute_options_bytes == 112 && program_bytes == 48);

/// What a plugin says of a struct of the wrong size.
struct SizeComplaint {
  std::size_t expected = 0;
  std::size_t given = 0;
};

std::optional<std::size_t> number_after(std::string_view text, std::string_view words) {
  const std::size_t begin = text.find(words);
  if (begin == std::string_view::npos) {
    return std::nullopt;
  }
  std::size_t number = 0;
  bool any = false;
  for (const char c : text.substr(begin + words.size())) {
    if (c < '0' || c > '9' || number > most_struct_bytes) {
      break;
    }
    number = 10 * number + static_cast<std::size_t>(c - '0');
    any = true;
  }
  return any ? std::optional(number) : std::nullopt;
}

/// Of "Unexpected PJRT_X_Args size: expected 32, got 24. ...".
std::optional<SizeComplaint> size_complaint(std::string_view message) {
  const auto expected = number_after(message, "size: expected ");
  const auto given = number_after(message, ", got ");
  if (!expected || !given || *expected < sizeof(Head) || *expected > most_struct_bytes ||
      message.find("PJRT_") == std::string_view::npos) {
    return std::nullopt;
  }
  return SizeComplaint{*expected, *given};
}

}  // namespace

Api::Api(const ApiTable& table, const std::string& operation)
    : table_(table), execute_options_bytes_(execute_options_bytes), program_bytes_(program_bytes) {
  const std::string version =
      "the plugin has PJRT " + std::to_string(table.major) + "." + std::to_string(table.minor);
  if (table.major != 0) {
    throw EnvironmentError(operation, version + ", whose major version is not the 0 that is known");
  }
  if (table.minor < oldest_minor) {
    throw EnvironmentError(operation, version + ", older than 0." + std::to_string(oldest_minor) +
                                          ", the oldest that is supported; install a newer one");
  }
  std::string missing;
  for (const CallInfo& call : all_calls) {
    if (call.need == Need::Core && function(call.place) == nullptr) {
      missing += (missing.empty() ? "PJRT_" : ", PJRT_") + std::string(call.name);
    }
  }
  if (!missing.empty()) {
    throw EnvironmentError(operation, version + " and lacks " + missing);
  }
}

AnyFunction Api::function(std::size_t place) const noexcept {
  const std::size_t offset = functions_begin + place * function_bytes;
  if (offset + function_bytes > table_.head.size) {
    return nullptr;
  }
  AnyFunction found = nullptr;
  std::memcpy(&found, reinterpret_cast<const std::byte*>(&table_) + offset, sizeof found);
  return found;
}

Status Api::take(RawError* error) const {
  if (error == nullptr) {
    return {};
  }
  // Destroyed also where there is no memory for its message.
  struct Destroyer {
    ~Destroyer() {
      ErrorDestroyArgs destroy{.head = {.size = info_of<ErrorDestroyArgs>.bytes}, .error = error};
      reinterpret_cast<void (*)(ErrorDestroyArgs*)>(api.function(info_of<ErrorDestroyArgs>.place))(
          &destroy);
    }
    const Api& api;
    RawError* error;
  };
  const Destroyer destroyer{*this, error};
  Status status{.code = ErrorCode::Unknown, .message = {}};
  ErrorGetCodeArgs code{.head = {.size = info_of<ErrorGetCodeArgs>.bytes}, .error = error};
  // An error of asking for the code has no code that could be asked for.
  if (RawError* const second =
          info_of<ErrorGetCodeArgs>.call(function(info_of<ErrorGetCodeArgs>.place), &code)) {
    const Destroyer second_destroyer{*this, second};
  } else if (code.code != ErrorCode::Ok) {
    status.code = code.code;
  }
  ErrorMessageArgs message{.head = {.size = info_of<ErrorMessageArgs>.bytes}, .error = error};
  reinterpret_cast<void (*)(ErrorMessageArgs*)>(function(info_of<ErrorMessageArgs>.place))(
      &message);
  if (message.message != nullptr) {
    status.message.assign(message.message, message.message_size);
  }
  return status;
}

Status Api::invoke(const CallInfo& call, Head* args, const Nested& nested) const {
  if (ddx::detail::fork_count() != forks_) {
    return {ErrorCode::FailedPrecondition,
            "this process was forked from the one that opened the device, whose threads it does "
            "not have; open PJRT devices after the fork"};
  }
  const AnyFunction found = function(call.place);
  if (found == nullptr) {
    return {ErrorCode::Unimplemented, "the plugin has no PJRT_" + std::string(call.name)};
  }
  std::atomic<std::uint16_t>& asked = asked_bytes_[call.place];
  // Twice at most for the struct itself, and once for the one in it.
  for (int attempt = 0;; ++attempt) {
    const std::size_t other_bytes = asked.load(std::memory_order_relaxed);
    args->size = other_bytes == 0 ? call.bytes : other_bytes;
    RawError* const error =
        other_bytes == 0 ? call.call(found, args) : invoke_resized(call, args, other_bytes);
    Status status = take(error);
    const auto complaint = status.is_ok() ? std::nullopt : size_complaint(status.message);
    if (!complaint || attempt == 2) {
      return status;
    }
    if (nested.head != nullptr && complaint->given == nested.head->size &&
        complaint->expected <= nested.most &&
        status.message.find(std::string(call.name) + "_Args") == std::string::npos) {
      nested.head->size = complaint->expected;
      nested.known->store(static_cast<std::uint32_t>(complaint->expected),
                          std::memory_order_relaxed);
    } else if (complaint->given == args->size) {
      asked.store(static_cast<std::uint16_t>(complaint->expected), std::memory_order_relaxed);
    } else {
      return status;
    }
  }
}

RawError* Api::invoke_resized(const CallInfo& call, Head* args, std::size_t bytes) const {
  // The zeros behind what is known represent what every new member means by default.
  std::vector<std::max_align_t> memory((std::max(bytes, call.bytes) + sizeof(std::max_align_t)) /
                                       sizeof(std::max_align_t));
  std::memcpy(memory.data(), args, call.bytes);
  RawError* const error = call.call(function(call.place), memory.data());
  std::memcpy(args, memory.data(), call.bytes);
  return error;
}

void Api::throw_unless_ok(const std::string& operation, const Status& status) {
  if (!status.is_ok()) {
    throw EnvironmentError(operation, with_advice(status));
  }
}

}  // namespace ddx::backend::pjrt
