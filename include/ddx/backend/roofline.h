/// \file
/// The arithmetic and the memory traffic that the machine allows.

#pragma once

namespace ddx::backend {

/// The highest rates of the threads of the cpu devices together.
struct Roofline {
  int threads = 1;
  double flops = 0;  ///< Of f32, in a second: fused multiplications and additions in registers.
  double bytes = 0;  ///< Read and written in a second, by a copy of memory that fits in no cache.
};

/// The roofline of this machine. Where other programs run at the same time, it is too low; of
/// dtypes of 16 bits it is not the limit, because some processors multiply them faster.
///
/// Throws:  EnvironmentError where there is no memory.
/// Cost:    some 0.1 s for the first call, then nothing.
/// Source:  S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance
///          model for multicore architectures", CACM 52 (2009).
[[nodiscard]] const Roofline& machine_roofline();

}  // namespace ddx::backend
