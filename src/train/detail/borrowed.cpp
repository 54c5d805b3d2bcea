#include "ddx/train/detail/borrowed.h"

#include "ddx/core/error.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>
#include <typeinfo>

namespace ddx::train::detail {
namespace {

std::string name_of(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : type.name();
}

}  // namespace

void fail_borrowed(const char* name, const std::type_info* held, const std::type_info& wanted) {
  if (held == nullptr) {
    throw UsageError("Loop", "no " + std::string(name) +
                                 " is known at this event, or with this kind of objective");
  }
  throw UsageError("Loop", "the " + std::string(name) + " is a " + name_of(*held) + ", not a " +
                               name_of(wanted));
}

}  // namespace ddx::train::detail
