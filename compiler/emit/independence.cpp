#include "compiler/analysis/activity.h"
#include "compiler/analysis/array_part.h"
#include "compiler/analysis/regions.h"
#include "compiler/emit/all_parts.h"
#include "compiler/emit/reverse_loops.h"
#include "compiler/ir/overlap.h"
#include "compiler/residuals/affine.h"

#include <optional>

namespace ddx::compiler {

using namespace ir;

namespace {

/// What the reverse sweep of a loop's body does to the adjoint of one array from outside, or of an
/// object as anything else.
struct Effects {
  bool increments = false;  ///< Loads of the object.
  bool reads = false;       ///< Stores that add to it.
  bool kills = false;       ///< Stores that replace it.
  bool scattered = false;   ///< Not all at one place that moves with the counter.
  std::optional<AffineIndex> place;

  /// True when the order of the iterations does not matter.
  [[nodiscard]] bool commute() const {
    return (!kills && !(reads && increments)) || (!scattered && place);
  }
};

/// True when nothing is in both.
bool are_apart(const ArrayPart& a, const ArrayPart& b) {
  return a.root == b.root ? !a.fields.empty() && !b.fields.empty() : !overlap(*a.root, *b.root);
}

}  // namespace

/// May the reverse sweep take the iterations of `loop` in their own order? Then counters run
/// upwards and arrays are read forwards, which is what vectorisers like. So it is where no
/// iteration sees what another does to an adjoint, sums apart.
bool ReverseLoops::is_independent(const Statement& loop) const {
  if (loop.form != Statement::LoopForm::Counted || loop.chained || loop.continue_sites > 0 ||
      loop.increment || !is_straight(*loop.body, true)) {
    return false;
  }
  std::vector<std::pair<ArrayPart, Effects>> objects;
  const auto note = [&](const Path& path, bool Effects::* what) {
    if (!path.root->active() || is_inside(path.root->level, loop)) {
      return;
    }
    const auto array = array_of_element(path);
    const ArrayPart part = array.value_or(ArrayPart{path.root, {}});
    auto known = llvm::find_if(objects, [&](const auto& object) { return object.first == part; });
    if (known == objects.end()) {
      known = objects.insert(objects.end(), {part, Effects{}});
    }
    Effects& effects = known->second;
    effects.*what = true;
    const auto index =
        array && loop.step != 0 ? affine_index(function_, path.steps.back(), loop) : std::nullopt;
    const bool same = index && (!effects.place || (effects.place->base == index->base &&
                                                   effects.place->constant == index->constant));
    bool fixed = same;
    if (same) {
      fill_holes(function_, index->base, [&](const Root& part) {
        fixed = fixed && writes_.is_invariant(part, loop);
        return std::string();
      });
      effects.place = index;
    }
    effects.scattered = effects.scattered || !fixed;
  };
  for_each_statement(loop.body, [&](const Statement* statement) {
    if (!statement->reversed) {
      return;
    }
    if (statement->kind == Statement::Kind::Store) {
      note(statement->path,
           statement->mode == Statement::StoreMode::Assign ? &Effects::kills : &Effects::reads);
    } else if (statement->kind == Statement::Kind::Define &&
               statement->value->kind == Value::Kind::Load) {
      note(statement->value->path, &Effects::increments);
    }
  });
  return llvm::all_of(objects, [&](const auto& object) {
    const auto& [part, effects] = object;
    const bool touches_order = effects.kills || effects.reads;
    // Of two names of one object nothing is known, nor of an object and its parts.
    return effects.commute() && (!touches_order || llvm::all_of(objects, [&](const auto& other) {
             return other.first == part || are_apart(other.first, part);
           }));
  });
}

}  // namespace ddx::compiler
