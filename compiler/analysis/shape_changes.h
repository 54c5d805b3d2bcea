/// \file
/// Which parameters of a function keep the shape they came with?

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/support/types.h"

#include <vector>

namespace ddx::compiler {

/// For each parameter of `function`: true where neither it nor what it calls can make a vector
/// longer or shorter in the object, exchange what an alternative holds, or the like: after a call
/// the tangent has the shape that it had before. Writes of elements keep the shape. It looks
/// through calls: the derivatives of the callees have been chosen. In doubt: false.
std::vector<bool> kept_shapes(const ir::Function& function, Types& types);

/// True where `call` leaves the shape of its argument of number `position` as it was.
bool keeps_shape(const ir::Statement& call, std::size_t position);

}  // namespace ddx::compiler
