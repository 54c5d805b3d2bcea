/// \file
/// What the machine can do at most.

#pragma once

namespace ddx::backend {

/// The most that the threads of the cpu devices do together.
struct Roof {
  int threads = 1;
  double flops = 0;  ///< Of f32, in a second: fused multiplications and additions in registers.
  double bytes = 0;  ///< Read and written in a second, by a copy of memory that fits in no cache.
};

/// The roof of this machine. Where other programs run at the same time, it is too low; of dtypes of
/// 16 bits it is not the roof, because some processors multiply them faster.
///
/// Throws:  EnvironmentError where there is no memory.
/// Cost:    some 0.1 s for the first call, then nothing.
/// Source:  S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance
///          model for multicore architectures", CACM 52 (2009).
[[nodiscard]] const Roof& machine_roof();

}  // namespace ddx::backend
