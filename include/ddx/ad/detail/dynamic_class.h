/// \file
/// What synthesised text asks of an object whose class is known at run time only.

#pragma once

#include "ddx/ad/detail/failures.h"

#include <typeinfo>

// Without run-time type information virtual calls are differentiated through memory, which does not
// ask.
#ifdef __GXX_RTTI

namespace ddx::detail {

/// True for an object of class `Class` itself, not of one derived from it.
template <class Class, class Base>
[[nodiscard]] bool is_exactly(const Base& object) {
  return typeid(object) == typeid(Class);
}

/// Throws: UsageError, for an object of a class that was not visible where the derivative was made.
template <class Base>
[[noreturn]] void throw_unknown_class(const Base& object, const char* function) {
  throw_unknown_class(function, typeid(object));
}

}  // namespace ddx::detail

#endif
