/// \file
/// The parts of the lowering of one function.

#pragma once

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/functor_calls.h"
#include "compiler/lower/calls/inactive_calls.h"
#include "compiler/lower/calls/inactive_places.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/calls/scalar_calls.h"
#include "compiler/lower/calls/without_derivative.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/assignments.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/object_assignments.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/complex.h"
#include "compiler/lower/library/containers.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/sum_types.h"
#include "compiler/lower/library/tuples.h"
#include "compiler/lower/library/utilities.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/parameters.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/constructors.h"
#include "compiler/lower/statements/declarations.h"
#include "compiler/lower/statements/loops.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/texts.h"

namespace ddx::compiler {

/// Owns the parts.
struct AllParts {
  AllParts(const Context& for_unit, ir::Function& lowered) : context(for_unit), function(lowered) {}

  const Context& context;
  ir::Function& function;
  Scope scope{context};
  Builder builder{context, function, scope};
  Texts texts{*this};
  EffectFinder effects{*this};
  Rejections rejections{*this};
  Parameters parameters{*this};
  Constructors constructors{*this};
  Statements statements{*this};
  Declarations declarations{*this};
  Loops loops{*this};
  MovedObjects moved_objects{*this};
  Expressions expressions{*this};
  Assignments assignments{*this};
  ObjectAssignments object_assignments{*this};
  Places places{*this};
  ScalarizedObjects scalarized_objects{*this};
  Initialisers initialisers{*this};
  SynthesisedCode synthesised_code{*this};
  Calls calls{*this};
  ScalarCalls scalar_calls{*this};
  FunctorCalls functor_calls{*this};
  WithoutDerivative without_derivative{*this};
  Arguments arguments{*this};
  Inlining inlining{*this};
  Callables callables{*this};
  InactiveCalls inactive_calls{*this};
  InactivePlaces inactive_places{*this};
  Replacements replacements{*this};
  Containers containers{*this};
  Iterators iterators{*this};
  Views views{*this};
  ComplexNumbers complex{*this};
  SumTypes sum_types{*this};
  Tuples tuples{*this};
  Utilities utilities{*this};
  DynamicPointers dynamic_pointers{*this};
};

}  // namespace ddx::compiler
