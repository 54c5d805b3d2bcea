/// \file
/// The exchange of two whole sequences: their cotangents are exchanged, too.

#pragma once

#include "compiler/emit/writer.h"
#include "compiler/ir/ir.h"

namespace ddx::compiler {

/// True for the function that replaces std::swap (algorithms.h) of two sequences, both
/// active: its sweeps take as long as the exchange, not as long as the sequences.
bool exchanges_wholes(const ir::Function& function);

/// Writes the exchange of the two parameters, or of their adjoints.
void exchange_wholes(CppWriter& writer, const ir::Function& function, bool cotangents);

}  // namespace ddx::compiler
