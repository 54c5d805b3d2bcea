#include "core/call_stack/called_at.h"

#include "core/call_stack/call_stack.h"
#include "core/call_stack/user_line.h"

#include <string>

namespace ddx {
namespace {

constinit thread_local int without_user_line = 0;

}  // namespace

std::string called_at() noexcept {
  if (without_user_line != 0) {
    return {};
  }
  try {
    const UserLine line = user_line(CallStack::current());
    if (!line.is_known()) {
      return {};
    }
    return line.kind == UserLine::Kind::Exact
               ? " (called at " + line.file + ":" + std::to_string(line.line) + ")"
               : line.text();
  } catch (...) {
    return {};  // Memory has run out, which the error without its line does not hide.
  }
}

WithoutUserLine::WithoutUserLine() noexcept {
  ++without_user_line;
}

WithoutUserLine::~WithoutUserLine() {
  --without_user_line;
}

}  // namespace ddx
