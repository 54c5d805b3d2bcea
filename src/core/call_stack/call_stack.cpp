#include "core/call_stack/call_stack.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <execinfo.h>

namespace ddx {

CallStack CallStack::current() noexcept {
  std::array<void*, most> found{};
  const int count = ::backtrace(found.data(), static_cast<int>(found.size()));
  CallStack stack;
  stack.count_ = static_cast<std::size_t>(std::max(count, 0));
  std::ranges::transform(found, stack.addresses_.begin(),
                         [](void* address) { return reinterpret_cast<std::uintptr_t>(address); });
  return stack;
}

}  // namespace ddx
