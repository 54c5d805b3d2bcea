/// \file
/// What each part of the lowering reaches.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/context.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace ddx::compiler {

class Arguments;
class Assignments;
class Builder;
class Callables;
class Calls;
class ComplexNumbers;
class Constructors;
class Containers;
class Declarations;
class DynamicPointers;
class EffectFinder;
class Expressions;
class FunctorCalls;
class InactiveCalls;
class InactivePlaces;
class Initialisers;
class Inlining;
class Iterators;
class Loops;
class MovedObjects;
class ObjectAssignments;
class Parameters;
class Places;
class Rejections;
class Replacements;
class ScalarCalls;
class ScalarizedObjects;
struct Scope;
class Statements;
class SumTypes;
class SynthesisedCode;
class Texts;
class Tuples;
class Utilities;
class Views;
class WithoutDerivative;
struct AllParts;

/// Base class of the parts of the lowering: classes of one theme each, which live as long as one
/// function is lowered. A part appends to the function through `builder_`, looks names up in
/// `scope_`, and calls the other parts for what lies below its own theme.
class Part {
 public:
  explicit Part(AllParts& all);
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 protected:
  const Context& context_;
  ir::Function& function_;
  Builder& builder_;
  Scope& scope_;
  Texts& texts_;
  EffectFinder& effects_;
  Rejections& rejections_;
  Parameters& parameters_;
  Constructors& constructors_;
  Statements& statements_;
  Declarations& declarations_;
  Loops& loops_;
  MovedObjects& moved_objects_;
  Expressions& expressions_;
  Assignments& assignments_;
  ObjectAssignments& object_assignments_;
  Places& places_;
  ScalarizedObjects& scalarized_objects_;
  Initialisers& initialisers_;
  SynthesisedCode& synthesised_code_;
  Calls& calls_;
  ScalarCalls& scalar_calls_;
  FunctorCalls& functor_calls_;
  WithoutDerivative& without_derivative_;
  Arguments& arguments_;
  Inlining& inlining_;
  Callables& callables_;
  InactiveCalls& inactive_calls_;
  InactivePlaces& inactive_places_;
  Replacements& replacements_;
  Containers& containers_;
  Iterators& iterators_;
  Views& views_;
  ComplexNumbers& complex_;
  SumTypes& sum_types_;
  Tuples& tuples_;
  Utilities& utilities_;
  DynamicPointers& dynamic_pointers_;
};

}  // namespace ddx::compiler
