/// \file
/// The stages of the compiler, as its printers know them.

#pragma once

namespace ddx::compiler {

/// The stages that can be printed (`-fddx-print=STAGE`), in their order.
enum class Stage { Request, Shapes, Lower, Activity, Residuals, Derivatives };

}  // namespace ddx::compiler
