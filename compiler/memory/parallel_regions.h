/// \file
/// Parallel regions of OpenMP.
///
/// Clang outlines a region's body and starts it by `__kmpc_fork_call(place, count, body, ...)`,
/// whose other arguments are what the body captures: addresses, or bits of numbers. For the memory
/// path each such call becomes a call of a function of its own, the region, whose parameters have
/// the types of what is captured. Its sweeps run those of the body in a team of threads.

#pragma once

#include "compiler/memory/unit.h"

namespace ddx::compiler::memory {

/// Makes the regions of a module. The module computes what it computed before.
void make_parallel_regions(llvm::Module& module);

/// Removes the bodies that were made for the sweeps alone.
void remove_region_bodies(llvm::Module& module);

/// In a prepared function: the threads of a team combine their parts of a reduction one after the
/// other, each by itself, where the run time of OpenMP would choose how.
void order_reductions(llvm::Function& function);

/// True for a region.
bool is_parallel_region(const llvm::Function& function);

/// True for a body, as Clang wrote it, of which the sweeps use a copy.
bool is_outlined(const llvm::Function& function);

/// True for the copy of a body that the sweeps are made of.
bool is_region_body(const llvm::Function& function);

/// What the derivative of `function` is made of: where a team of one computes the same, a
/// derivative of a region has a form that runs the body in the calling thread alone, as OpenMP may
/// at any time. Other functions are their own.
llvm::Function& sequential_form(llvm::Function& function);

/// Defines the forward and reverse sweep of a region.
void define_region_sweeps(Derivative& region, Unit& unit);

/// Defines the tangent of a region.
void define_region_tangent(Derivative& region, Unit& unit);

}  // namespace ddx::compiler::memory
