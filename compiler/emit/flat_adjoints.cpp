#include "compiler/emit/flat_adjoints.h"

#include "compiler/analysis/activity.h"
#include "compiler/analysis/array_part.h"
#include "compiler/analysis/regions.h"
#include "compiler/emit/adjoint_paths.h"
#include "compiler/emit/all_parts.h"

#include "llvm/ADT/MapVector.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// How the reverse sweep of a region treats the adjoints of objects: by element, or as a whole.
class Uses {
 public:
  explicit Uses(const AdjointArrays& arrays) : arrays_(arrays) {}

  void add(const Block* block) {
    for_each_statement(const_cast<Block*>(block), [&](const Statement* statement) {
      if (statement->reversed) {
        add(*statement);
      }
    });
  }

  /// The objects used, and for each whether something treats it as a whole.
  [[nodiscard]] const llvm::MapVector<const Root*, bool>& roots() const { return roots_; }

  [[nodiscard]] bool as_a_whole(const Root& root) const {
    const auto found = roots_.find(&root);
    return found != roots_.end() && found->second;
  }

 private:
  void note(const Path& path, bool by_element) {
    if (path.root) {
      bool& whole = roots_[path.root];
      whole = whole || !(by_element || (!path.steps.empty() && path.steps.front().is_element()));
    }
  }

  void add(const Statement& statement) {
    const bool by_element =
        (statement.kind == Statement::Kind::Define && is_handed_over(*statement.value)) ||
        (statement.kind == Statement::Kind::Vector && arrays_.contains(statement.path.root));
    for_each_adjoint_path(statement, [&](const Path& path, bool takes_flat) {
      note(path, takes_flat || by_element);
    });
  }

  const AdjointArrays& arrays_;  ///< To append to one of them moves its end.
  llvm::MapVector<const Root*, bool> roots_;
};

}  // namespace

/// Decides for which vector parameters the reverse sweep takes a pointer to the adjoints of the
/// elements, which can be `__restrict`: where no statement treats the vector as a whole.
void FlatAdjoints::decide_flat_adjoints() {
  derivative_.flat_adjoints.assign(function_.parameters.size(), false);
  if (derivative_.recursive) {
    return;  // Calls of this derivative have been written already.
  }
  Uses uses(adjoint_arrays_);
  uses.add(function_.body);
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Root& parameter = *function_.parameters[i];
    derivative_.flat_adjoints[i] =
        parameter.kind == Root::Kind::Reference && function_.key.parameters[i].active &&
        Types::container(parameter.type) == Container::StdVector &&
        Types::is_real(context_.types.element(parameter.type)) && !uses.as_a_whole(parameter);
    if (derivative_.flat_adjoints[i]) {
      vectors_.insert(&parameter);
    }
  }
}

/// The local vectors whose adjoints `loop` reaches by element only, and nothing around it by
/// pointer: each is an array of its own, which a pointer parameter can say.
llvm::SmallVector<const Root*> FlatAdjoints::flat_in(const Statement& loop) const {
  llvm::SmallVector<const Root*> result;
  Uses uses(adjoint_arrays_);
  uses.add(loop.body);
  if (loop.increment) {
    uses.add(loop.increment);
  }
  for (const auto& [root, whole] : uses.roots()) {
    const bool is_vector = Types::container(root->type) == Container::StdVector &&
                           Types::is_real(context_.types.element(root->type));
    if (!whole && is_vector && root->kind == Root::Kind::Local && root->active() &&
        !is_inside(root->level, loop) && !is_flat(*root)) {
      result.push_back(root);
    }
  }
  return result;
}

/// The adjoints of a vector's elements, by pointer.
std::string FlatAdjoints::adjoint_elements(const Path& vector) {
  const FlatField* const field = flat_field(vector);
  return field && field->part.fields.size() == vector.steps.size() ? field->name
         : vector.steps.empty() && adjoint_arrays_.is_array(*vector.root)
             ? speller_.adjoint(*vector.root)
             : "std::data(" + speller_.adjoint(vector) + ")";
}

/// The adjoint of the array that `element` is one of, where a pointer to it is at hand.
std::optional<std::string> FlatAdjoints::flat_array_of(const Path& element) {
  const auto array = array_of_element(element);
  if (!array) {
    return std::nullopt;
  }
  if (const FlatField* const field = flat_field(element)) {
    return field->name;
  }
  return array->fields.empty() && is_flat(*array->root)
             ? std::optional(speller_.adjoint(*array->root))
             : std::nullopt;
}

}  // namespace ddx::compiler
