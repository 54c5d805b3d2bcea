/// \file
/// What synthesised text asks of functions that are known at run time only.

#pragma once

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/owned.h"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// A function object whose copies share one object of class `Function`: what it has captured keeps
/// its address when a std::function made of it is copied or moved.
template <class Function>
class KeptFunction {
 public:
  using Others = std::vector<Shared<const void>>;

  /// Takes over `function`, made by `allocate`, and keeps what its references refer to.
  explicit KeptFunction(Function* function, Others others = {})
      : function_(function), others_(std::move(others)) {}

  template <class... Arguments>
  decltype(auto) operator()(Arguments&&... arguments) const {
    return std::as_const(*function_)(std::forward<Arguments>(arguments)...);
  }

  [[nodiscard]] const Function* get() const { return function_.get(); }

 private:
  Shared<const Function> function_;
  Others others_;
};

/// Returns the object of class `Function` that `value`, a std::function, holds, or null.
template <class Function, class Stored>
[[nodiscard]] const Function* held_function(const Stored& value) {
  if (const auto* kept = value.template target<KeptFunction<Function>>()) {
    return kept->get();
  }
  return value.template target<Function>();
}

/// True when `value`, a std::function, holds a pointer to `function`.
template <class Stored, class Result, class... Parameters>
[[nodiscard]] bool holds_function(const Stored& value, Result (*function)(Parameters...)) {
  using Plain = Result (*)(Parameters...);
  using Silent = Result (*)(Parameters...) noexcept;
  if (const auto* plain = value.template target<Plain>()) {
    return *plain == function;
  }
  const auto* silent = value.template target<Silent>();
  return silent != nullptr && *silent == function;
}

/// Returns the place of an object that is still to be made, and may be constant from then on.
template <class T>
[[nodiscard]] void* raw(const T& place) {
  return const_cast<T*>(__builtin_addressof(place));
}

/// Makes the reference that lies `offset` bytes behind the start of `object` refer to `target`.
template <class Object, class T>
void bind_reference(const Object* object, std::size_t offset, T& target) {
  auto* const pointer = __builtin_addressof(target);
  std::memcpy(static_cast<std::byte*>(raw(*object)) + offset, &pointer, sizeof(pointer));
}

/// Throws: std::bad_function_call where there is no function; UsageError for one that was not
///         visible where the derivative was made.
template <class Function>
[[noreturn]] void throw_unknown_function(const Function& function) {
  if (!function) {
    throw_no_target();
  }
  throw_unknown_target();
}

}  // namespace ddx::detail
