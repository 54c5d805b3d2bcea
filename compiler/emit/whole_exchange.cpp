// The exchange of two whole sequences: their cotangents are exchanged, too.

#include "compiler/emit/emitter.h"

#include "clang/AST/Decl.h"

namespace ddx::compiler {

using namespace ir;

/// True for the function that replaces std::swap (algorithms.h) of two sequences, both
/// active: its sweeps take as long as the exchange, not as long as the sequences.
bool Emitter::exchanges_wholes() const {
  const clang::FunctionDecl* const callee = function_.key.function;
  if (!callee || !callee->getIdentifier() || callee->getName() != "swap" ||
      function_.parameters.size() != 2 || function_.key.parameters.size() != 2) {
    return false;
  }
  const auto* const space = llvm::dyn_cast<clang::NamespaceDecl>(callee->getDeclContext());
  const Root& first = *function_.parameters[0];
  const Root& second = *function_.parameters[1];
  const Container kind = Types::container(first.type);
  return space && space->getName() == "algorithms" &&
         (kind == Container::StdVector || kind == Container::StdDeque) &&
         first.kind == Root::Kind::Reference && second.kind == Root::Kind::Reference &&
         function_.key.parameters[0].active && function_.key.parameters[1].active;
}

void Emitter::exchange_wholes(bool cotangents) {
  const Root& first = *function_.parameters[0];
  const Root& second = *function_.parameters[1];
  line(cotangents ? "std::swap(" + adjoint(first) + ", " + adjoint(second) + ");"
                  : "std::swap(" + first.name + ", " + second.name + ");");
}

}  // namespace ddx::compiler
