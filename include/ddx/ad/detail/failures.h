/// \file
/// The errors of differentiation at run time. Their texts are made in the library, so that programs
/// that differentiate numbers alone need not read <string>.

#pragma once

#include <cstddef>

namespace ddx::detail {

/// Throws: UsageError, of a tangent that meets `other`, a tangent or a value of another length.
[[noreturn, gnu::cold]] void throw_length_mismatch(const char* operation, std::size_t length,
                                                   const char* other, std::size_t other_length);

/// Throws: std::bad_alloc.
[[noreturn, gnu::cold]] void throw_no_memory();

/// Throws: std::bad_array_new_length, as `new` does of an array that no memory has room for.
[[noreturn, gnu::cold]] void throw_array_too_long();

/// Throws: std::bad_variant_access, as a visit of a variant without value does.
[[noreturn, gnu::cold]] void throw_no_alternative();

/// Throws: UsageError, of a gradient of a function pointer that no gradient of the program names.
[[noreturn, gnu::cold]] void throw_unnamed_function();

/// Throws: UsageError, of a checkpointed loop that may hold no state.
[[noreturn, gnu::cold]] void throw_no_loop_memory();

/// Throws: UsageError, of a row or column (`what`) that a derivative's matrix does not have.
[[noreturn, gnu::cold]] void throw_outside_matrix(const char* what, std::size_t index,
                                                  std::size_t count);

/// Throws as a call of an empty std::function does: std::bad_function_call.
[[noreturn, gnu::cold]] void throw_no_target();

/// Throws: UsageError, of `bytes` that are no whole number of objects of `size` bytes.
[[noreturn, gnu::cold]] void throw_partial_object(const char* function, std::size_t bytes,
                                                  std::size_t size);

/// Throws: UsageError, of numbers that would be filled with a byte other than zero.
[[noreturn, gnu::cold]] void throw_filled_bytes(int byte);

/// Throws: UsageError, of a real number of `size` bytes at an address that is no multiple of them.
[[noreturn, gnu::cold]] void throw_unaligned_number(const void* address, std::size_t size);

/// Throws: UsageError, of numbers of `size` bytes whose copies have another alignment.
[[noreturn, gnu::cold]] void throw_unaligned_copy(const void* dst, const void* src,
                                                  std::size_t size);

/// Throws: UsageError, of `bytes` written from `begin` on that replace a part of an active number.
[[noreturn, gnu::cold]] void throw_cut_number(const char* function, const void* begin,
                                              std::size_t bytes);

/// Throws: UsageError, of an object in whose `bytes` a real was read that had not been written as
/// one.
[[noreturn, gnu::cold]] void throw_number_without_origin(const void* begin, std::size_t bytes);

/// Throws: UsageError, of a call through a pointer of what cannot be differentiated.
[[noreturn, gnu::cold]] void throw_not_differentiable(const char* reason);

/// Throws: UsageError, of integer operations on the bits of a real that have no derivative.
[[noreturn, gnu::cold]] void throw_changed_bits();

/// The bits of an active real went through integers, and a derivative depends on them.
[[noreturn, gnu::cold]] void throw_lost_bits();

/// Throws: UsageError, of a call of a function that has no derivative in the program.
[[noreturn, gnu::cold]] void throw_unknown_function(const void* function);

/// Throws: UsageError, of a thread that is waited for and was not started by the function that is
/// differentiated.
[[noreturn, gnu::cold]] void throw_unknown_thread(const char* function);

/// Throws: UsageError, of a thread that is never joined.
[[noreturn, gnu::cold]] void throw_detached_thread();

/// Throws: UsageError, of a result that becomes ready where its thread ends.
[[noreturn, gnu::cold]] void throw_result_at_thread_exit();

}  // namespace ddx::detail
