#include "ddx/core/detail/out_of_memory.h"

#include "ddx/core/error.h"

#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace ddx::detail {
namespace {

constexpr const char* facts = "the system has no memory left";

// Made before main and never destroyed: where memory has run out, there is none for a message. To
// copy it takes none.
const EnvironmentError* const without_operation = new EnvironmentError("allocate", facts);

}  // namespace

EnvironmentError out_of_memory() noexcept {
  return *without_operation;
}

void throw_out_of_memory(std::string_view operation) {
  try {
    throw EnvironmentError(std::string(operation), facts);
  } catch (const std::bad_alloc&) {
    throw out_of_memory();
  }
}

bool is_lack_of_memory(const std::exception_ptr& error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const EnvironmentError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace ddx::detail
