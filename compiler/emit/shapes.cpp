#include "compiler/emit/shapes.h"

// The shapes of adjoints that only the forward sweep knows: those of objects when their scopes end,
// and those that statements drop.

#include "compiler/analysis/activity.h"
#include "compiler/analysis/shape_changes.h"
#include "compiler/emit/all_parts.h"
#include "compiler/residuals/residuals.h"

namespace ddx::compiler {

using namespace ir;

void Shapes::leave() {
  shaped_.resize(scopes_.back().first_shaped);
  scopes_.pop_back();
}

void Shapes::declare(const Root& declared) {
  if (has_shape_at_end(declared)) {
    shaped_.push_back(&declared);
  }
}

void Shapes::complete(const Root& declared) {
  incomplete_.erase(&declared);
  save_shape(declared);
}

void Shapes::save_shape(const Root& shaped) {
  if (shaped.size_slot && !adjoint_arrays_.is_saved_at_end(shaped)) {
    line(speller_.slot(shaped.size_slot, shaped.level) + " = " + shaped.name + ".size();");
  }
  if (shaped.shape_slot && !has_shape_at_end(shaped)) {
    save_whole_shape(shaped);
  }
}

void Shapes::save_whole_shape(const Root& shaped) {
  line(speller_.slot(shaped.shape_slot, shaped.level) + " = ddx::detail::saved_shape<" +
       speller_.tangent(shaped.type) + ">(arena, " + shaped.name + ");");
}

/// True for an object whose shape is saved where its scope is left: saved after each change, that
/// of a vector of vectors would be copied whole for each element appended. What can only be moved
/// may be empty by then.
bool Shapes::has_shape_at_end(const Root& shaped) const {
  return shaped.shape_slot && !context_.copies.cannot_copy(shaped.type);
}

/// Where scopes end: the shapes of the objects declared in them so far, the first of which has this
/// number.
void Shapes::save_shapes_from(std::size_t first) {
  for (const Root* shaped : llvm::ArrayRef(shaped_).drop_front(first)) {
    if (!incomplete_.contains(shaped)) {
      save_whole_shape(*shaped);
    }
  }
}

void Shapes::save_shapes_left_by(const Statement& jump) {
  const auto* const left = llvm::find_if(scopes_, [&](const Scope& scope) {
    return jump.kind == Statement::Kind::Return || scope.block->owner == jump.target;
  });
  if (left != scopes_.end()) {
    save_shapes_from(left->first_shaped);
  }
}

/// After what `changed` names may have got another size.
void Shapes::save_shape_of(const Path& changed) {
  if (incomplete_.contains(changed.root)) {
    return;  // Members that are not constructed yet have no shape; it is saved when all are.
  }
  if (changed.root->shape_slot ? context_.types.is_shaped(changed.type) : changed.steps.empty()) {
    save_shape(*changed.root);
  }
}

/// The same after a change of the size of a vector. Where its shape is saved after each change,
/// only what the change adds or drops is.
void Shapes::save_changed_shape(const Statement& statement) {
  const Root& root = *statement.path.root;
  const bool at_the_end = statement.action == Statement::VectorAction::Append ||
                          statement.action == Statement::VectorAction::RemoveLast ||
                          keeps_dropped_elements(statement);
  if (!at_the_end || !statement.path.steps.empty() || !root.shape_slot || has_shape_at_end(root) ||
      incomplete_.contains(&root)) {
    return save_shape_of(statement.path);
  }
  line("ddx::detail::grow_like(*" + speller_.slot(root.shape_slot, root.level) + ", " + root.name +
       ");");
}

/// Gives the adjoint of a vector the size again that it had before `statement`.
void Shapes::restore_size(const Statement& statement, const std::string& target) {
  const std::string saved = speller_.slot(statement.slot, statement.level);
  line(context_.types.is_flat_vector(statement.path.type)
           ? target + ".resize(" + saved + ");"
           : "ddx::detail::restore_elements(" + target + ", " + saved + ");");
}

/// Before `target` gets another size.
void Shapes::save_old_shape(const Statement& statement, const std::string& target) {
  const std::string saved = speller_.slot(statement.slot, statement.level);
  if (context_.types.is_flat_vector(statement.path.type)) {
    return line(saved + " = " + target + ".size();");
  }
  if (keeps_dropped_elements(statement)) {
    const std::string count =
        statement.count
            ? "static_cast<std::size_t>(" + speller_.value(*statement.count, Sweep::Forward) + ")"
            : "0";
    return line(saved + " = ddx::detail::old_elements<" + speller_.tangent(statement.path.type) +
                ">(arena, " + target + ", " + count + ");");
  }
  const bool last = statement.kind == Statement::Kind::Vector &&
                    statement.action == Statement::VectorAction::RemoveLast;
  const bool first = statement.kind == Statement::Kind::Vector &&
                     statement.action == Statement::VectorAction::RemoveFirst;
  const std::string shaped = speller_.tangent(
      last || first ? context_.types.element(statement.path.type) : statement.path.type);
  line(saved + " = ddx::detail::saved_shape<" + shaped + ">(arena, " + target +
       (last    ? ".back()"
        : first ? ".front()"
                : "") +
       ");");
}

void Shapes::save_resized(const Statement& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& passed = call.arguments[i];
    if (!passed.is_constant && passed.path.root && !keeps_shape(call, i)) {
      save_shape_of(passed.path);
    }
  }
}

}  // namespace ddx::compiler
