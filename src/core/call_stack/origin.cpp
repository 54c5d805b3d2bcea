#include "core/call_stack/origin.h"

#include "core/call_stack/call_stack.h"
#include "core/call_stack/library_files.h"
#include "core/call_stack/user_line.h"

#include <optional>
#include <source_location>
#include <string>

namespace ddx {

Origin Origin::here(const std::source_location& where) noexcept {
  if (is_users(where)) {
    return {where, std::nullopt};
  }
  return {{}, CallStack::current()};
}

Origin::Text Origin::text() const {
  if (where.line() != 0) {
    return {" (at " + std::string(where.file_name()) + ":" + std::to_string(where.line()) + ")",
            true};
  }
  if (!stack) {
    return {};
  }
  const UserLine line = user_line(*stack);
  return {line.text(), line.is_known()};
}

}  // namespace ddx
