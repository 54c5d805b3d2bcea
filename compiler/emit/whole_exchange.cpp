#include "compiler/emit/whole_exchange.h"

// The exchange of two whole sequences: their cotangents are exchanged, too.

#include "compiler/emit/speller.h"
#include "compiler/support/types.h"

#include "clang/AST/Decl.h"

namespace ddx::compiler {

using namespace ir;

/// True for the function that replaces std::swap (algorithms.h) of two sequences, both
/// active: its sweeps take as long as the exchange, not as long as the sequences.
bool exchanges_wholes(const Function& function) {
  const clang::FunctionDecl* const callee = function.key.function;
  if (!callee || !callee->getIdentifier() || callee->getName() != "swap" ||
      function.parameters.size() != 2 || function.key.parameters.size() != 2) {
    return false;
  }
  const auto* const space = llvm::dyn_cast<clang::NamespaceDecl>(callee->getDeclContext());
  const Root& first = *function.parameters[0];
  const Root& second = *function.parameters[1];
  const Container kind = Types::container(first.type);
  return space && space->getName() == "algorithms" &&
         (kind == Container::StdVector || kind == Container::StdDeque) &&
         first.kind == Root::Kind::Reference && second.kind == Root::Kind::Reference &&
         function.key.parameters[0].active && function.key.parameters[1].active;
}

void exchange_wholes(CppWriter& writer, const Function& function, bool cotangents) {
  const Root& first = *function.parameters[0];
  const Root& second = *function.parameters[1];
  writer.line(cotangents
                  ? "std::swap(" + Speller::adjoint(first) + ", " + Speller::adjoint(second) + ");"
                  : "std::swap(" + first.name + ", " + second.name + ");");
}

}  // namespace ddx::compiler
