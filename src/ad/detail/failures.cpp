#include "ddx/ad/detail/failures.h"

#include "ddx/core/error.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <new>
#include <string>
#include <variant>

namespace ddx::detail {

namespace {

std::string hexadecimal(const void* address) {
  char text[2 + 2 * sizeof(address) + 1];
  std::snprintf(text, sizeof(text), "0x%zx", reinterpret_cast<std::uintptr_t>(address));
  return text;
}

}  // namespace

void throw_length_mismatch(const char* operation, std::size_t length, const char* other,
                           std::size_t other_length) {
  throw UsageError(operation, "a tangent of " + std::to_string(length) + " elements meets " +
                                  other + " of " + std::to_string(other_length));
}

void throw_no_memory() {
  throw std::bad_alloc();
}

void throw_array_too_long() {
  throw std::bad_array_new_length();
}

void throw_no_alternative() {
  throw std::bad_variant_access();
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

void throw_partial_object(const char* function, std::size_t bytes, std::size_t size) {
  throw UsageError(function, std::to_string(bytes) + " bytes are no whole number of objects of " +
                                 std::to_string(size) + " bytes, which hold active numbers");
}

void throw_filled_bytes(int byte) {
  throw UsageError("memset", "the byte " + std::to_string(byte) +
                                 " in objects that hold active numbers; 0 is known alone");
}

void throw_unaligned_number(const void* address, std::size_t size) {
  throw UsageError("derivative of memory", "a real number of " + std::to_string(size) +
                                               " bytes at address " + hexadecimal(address) +
                                               ", which is no multiple of " + std::to_string(size));
}

void throw_unaligned_copy(const void* dst, const void* src, std::size_t size) {
  throw UsageError("memcpy", "reals copied to an address that is not aligned as theirs: from " +
                                 hexadecimal(src) + " to " + hexadecimal(dst) + ", in units of " +
                                 std::to_string(size) + " bytes");
}

void throw_cut_number(const char* function, const void* begin, std::size_t bytes) {
  throw UsageError(function, "a part of an active number replaced, by " + std::to_string(bytes) +
                                 " bytes from address " + hexadecimal(begin) + " on");
}

void throw_number_without_origin(const void* begin, std::size_t bytes) {
  throw UsageError("derivative of memory",
                   "a real number was read in the object of " + std::to_string(bytes) +
                       " bytes at address " + hexadecimal(begin) +
                       ", to which no real was written there: its bits were copied as integers");
}

void throw_not_differentiable(const char* reason) {
  throw UsageError("a call through a pointer", reason);
}

void throw_changed_bits() {
  throw UsageError("derivative of memory",
                   "the bits of a real were changed by integer operations other than masks of "
                   "signs and of whole numbers");
}

void throw_lost_bits() {
  throw UsageError("derivative of memory",
                   "the result depends on a real whose bits were copied as integers, byte by byte "
                   "or through functions, where derivatives do not follow them");
}

void throw_unknown_function(const void* function) {
  throw UsageError("a call through a pointer", "the function at address " + hexadecimal(function) +
                                                   ", of which no unit of the program that is "
                                                   "loaded has a derivative");
}

void throw_unknown_thread(const char* function) {
  throw UsageError(function,
                   "it waits for a thread that was not started by the function that is "
                   "differentiated, so that the work of that thread has no derivative");
}

void throw_detached_thread() {
  throw UsageError(
      "pthread_create",
      "a detached thread ends at a time that no sweep knows; one that is joined can be "
      "differentiated");
}

void throw_result_at_thread_exit() {
  throw UsageError("std::promise::set_value_at_thread_exit",
                   "a result that becomes ready where its thread ends has no derivative; "
                   "set_value makes it ready at once");
}

}  // namespace ddx::detail
