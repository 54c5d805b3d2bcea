#include "compiler/lower/part.h"

#include "compiler/lower/all_parts.h"

namespace ddx::compiler {

Part::Part(AllParts& all)
    : context_(all.context),
      function_(all.function),
      builder_(all.builder),
      scope_(all.scope),
      texts_(all.texts),
      effects_(all.effects),
      rejections_(all.rejections),
      parameters_(all.parameters),
      constructors_(all.constructors),
      statements_(all.statements),
      declarations_(all.declarations),
      loops_(all.loops),
      moved_objects_(all.moved_objects),
      expressions_(all.expressions),
      assignments_(all.assignments),
      object_assignments_(all.object_assignments),
      places_(all.places),
      scalarized_objects_(all.scalarized_objects),
      initialisers_(all.initialisers),
      synthesised_code_(all.synthesised_code),
      calls_(all.calls),
      scalar_calls_(all.scalar_calls),
      functor_calls_(all.functor_calls),
      without_derivative_(all.without_derivative),
      arguments_(all.arguments),
      inlining_(all.inlining),
      callables_(all.callables),
      inactive_calls_(all.inactive_calls),
      inactive_places_(all.inactive_places),
      replacements_(all.replacements),
      containers_(all.containers),
      iterators_(all.iterators),
      views_(all.views),
      complex_(all.complex),
      sum_types_(all.sum_types),
      tuples_(all.tuples),
      utilities_(all.utilities),
      dynamic_pointers_(all.dynamic_pointers) {}

}  // namespace ddx::compiler
