#include "compiler/lower/lowering.h"

#include "llvm/ADT/StringSet.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// True for members of std::vector that change its elements, or where they lie.
bool Lowering::changes_elements(llvm::StringRef member) {
  static const llvm::StringSet<> names = {"push_back",     "emplace_back", "pop_back", "clear",
                                          "resize",        "assign",       "reserve",  "insert",
                                          "shrink_to_fit", "emplace",      "erase"};
  return names.contains(member);
}

/// Members of a vector in memory: a function of memory_vectors.h says what they mean.
bool Lowering::memory_vector_member(llvm::StringRef name, const Path& vector, const Expr* source,
                                    llvm::ArrayRef<const Expr*> arguments,
                                    std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  if (!is_made_of_numbers(vector.type)) {
    return false;
  }
  if (name == "pop_back" || name == "clear") {  // What is left stays where it lies.
    Root* const place = bind_alias(vector, false, "sequence", where).alias;
    ir::Statement* changed = add(ir::Statement::Kind::Text, where);
    changed->text = hole(*place) + "." + name.str() + "()";
    changed->harmless = true;
    return true;
  }
  if (!call_on(vector, "memory_" + name.str(), source, arguments)) {
    return false;
  }
  if (name == "emplace_back" && !source->getType()->isVoidType()) {
    *reference =
        last_element(vector, context_.types.element(vector.type).getUnqualifiedType(), where);
  }
  return true;
}

/// The calls in memory_vectors.h that are made as they stand.
bool Lowering::memory_vector_call(const FunctionDecl* callee, const Expr* source,
                                  llvm::ArrayRef<const Expr*> arguments) {
  const llvm::StringRef name = callee->getName();
  if (name != "make_room" && name != "set_size" && name != "give_room_back") {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  const auto vector = lvalue(arguments[0]);
  Value* const count = rvalue(arguments[1]);
  if (!vector || !count) {
    return false;
  }
  Root* const size = new_root(Root::Kind::Local, "count", context_.ast.getSizeType(), where);
  ir::Statement* declaration = declare_local(size, where);
  declaration->value = count;
  Root* const place = bind_alias(*vector, false, "sequence", where).alias;
  ir::Statement* changed = add(ir::Statement::Kind::Text, where);
  changed->text = "ddx::detail::" + name.str() + "(" + hole(*place) + ", " + hole(*size) + ")";
  changed->harmless = true;
  return true;
}

}  // namespace ddx::compiler
