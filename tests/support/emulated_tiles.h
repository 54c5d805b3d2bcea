/// \file
/// Tiles for processors without them, so that kernels that multiply tiles are tested everywhere.

#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is not in <csignal>.

namespace ddx::testing {

/// While it lives, the instructions of AMX-BF16 that this process may not use are carried out in
/// software, on all threads: a few microseconds each. Sums are not those of the processor to the
/// bit. An operand that the processor would refuse ends the process, as there (SIGILL).
class EmulatedTiles {
 public:
  EmulatedTiles();
  ~EmulatedTiles();
  EmulatedTiles(const EmulatedTiles&) = delete;
  EmulatedTiles& operator=(const EmulatedTiles&) = delete;

 private:
  struct sigaction before_;
};

}  // namespace ddx::testing
