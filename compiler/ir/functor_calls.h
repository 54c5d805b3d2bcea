/// \file
/// What calls that hand a function over as an object are spelled with.

#pragma once

#include "compiler/ir/ir.h"

#include <string>

namespace ddx::compiler {

/// The functions and the class of `ddx/ad/detail` behind one kind of call.
struct FunctorNames {
  const char* value;     ///< Function: the value alone.
  const char* vjp;       ///< Function: the value with its pullback.
  const char* pullback;  ///< Class of that.
  const char* tangent;   ///< Function: the value with its tangent; null where there is none.
};

FunctorNames functor_names(ir::FunctorCall::Kind kind);

/// The template argument of its functions and its class before the others: the positions by which a
/// gradient is taken. Empty where there is none.
std::string positions(const ir::FunctorCall& call);

/// The class of the pullback of `call`; `types` are those of its arguments, each after a comma.
std::string functor_pullback(const ir::FunctorCall& call, const std::string& types);

/// A call of `function`, one of those names, with `arguments`.
std::string functor_call(const ir::FunctorCall& call, const char* function,
                         const std::string& arguments);

}  // namespace ddx::compiler
