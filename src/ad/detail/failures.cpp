#include "ddx/ad/detail/failures.h"

#include "ddx/core/error.h"

#include <functional>
#include <string>

namespace ddx::detail {

void throw_length_mismatch(const char* operation, std::size_t length, const char* other,
                           std::size_t other_length) {
  throw UsageError(operation, "a tangent of " + std::to_string(length) + " elements meets " +
                                  other + " of " + std::to_string(other_length));
}

void throw_unknown_class(const char* function, const std::type_info& dynamic_class) {
  throw UsageError(function, std::string("an object of class '") + dynamic_class.name() +
                                 "', of which the unit of the derivative knows nothing");
}

void throw_unknown_target() {
  throw UsageError("a call of a stored function",
                   "a function of which the unit of the derivative knows nothing");
}

void throw_unnamed_function() {
  throw UsageError("gradient",
                   "no unit of the program names the function behind this pointer in a gradient");
}

void throw_no_loop_memory() {
  throw UsageError("checkpointed_loop", "memory for 0 states; at least 1 must be held");
}

void throw_outside_matrix(const char* what, std::size_t index, std::size_t count) {
  throw UsageError("DerivativeMatrix", std::string(what) + " " + std::to_string(index) +
                                           " of a matrix with " + std::to_string(count) + " " +
                                           what + "s");
}

void throw_no_target() {
  throw std::bad_function_call();
}

void throw_changed_keys(std::size_t before, std::size_t now) {
  throw UsageError("loop over a map", "keys came or went on the way: " + std::to_string(before) +
                                          ", now " + std::to_string(now));
}

void throw_partial_object(const char* function, std::size_t bytes, std::size_t size) {
  throw UsageError(function, std::to_string(bytes) + " bytes are no whole number of objects of " +
                                 std::to_string(size) + " bytes, which hold active numbers");
}

void throw_filled_bytes(int byte) {
  throw UsageError("memset", "the byte " + std::to_string(byte) +
                                 " in objects that hold active numbers; 0 is known alone");
}

}  // namespace ddx::detail
