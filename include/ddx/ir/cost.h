/// \file
/// The arithmetic and memory traffic of nodes of a graph.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::ir {

/// Floating-point operations, and bytes between the processor and memory.
struct Cost {
  std::uint64_t flops = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;

  Cost& operator+=(const Cost& other) noexcept {
    flops += other.flops;
    bytes_read += other.bytes_read;
    bytes_written += other.bytes_written;
    return *this;
  }
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// The floating-point operations of a node as frameworks count them: a multiplication and an
/// addition are two.
///
/// - matmul, convolutions: 2 for each element of a result and each term of its sum; padding counts
///   as terms;
/// - attention: 2 for each pair of a query and a key that it sees, and each element of both
///   products; its gradient has five products;
/// - elementwise: 1 for each element of the result, whatever the function; add_scaled 2;
/// - reductions, cumulative: 1 for each element of the operand; linear_recurrence 2;
/// - pooling: 1 for each element of a window; grey dilation 2;
/// - softmax: 5 for each element, its gradient and cross entropy 4;
/// - normalisation: 7 for each element to train, 9 in the gradient, 2 to infer;
/// - Fourier transforms: 5 n log2(n) for each line of n; of real numbers half as many;
/// - decompositions: the leading terms of LAPACK's counts;
/// - resampling: 2 for each element and each of its weights;
/// - cond: those of the larger region; while_loop: one iteration, since their number is unknown;
///   scan: those of the body for each slice;
/// - operations that only move or create elements: 0.
///
/// Cost:    O(1); for causal attention, linear in the queries.
/// Source:  Golub and Van Loan, "Matrix Computations", 4th edition, for decompositions; FFTW's
///          convention for Fourier transforms.
[[nodiscard]] std::uint64_t flops_of(const Graph& graph, const Node& node);

/// The cost of nodes that run together: an external operand is read once, and a value that only
/// these nodes read is not written. A node that reads parts of its first operand (slice, gather)
/// reads as many bytes as it writes. `uses` is the result of use_counts for the graph.
///
/// Cost:    linear in the nodes and their operands.
[[nodiscard]] Cost cost_of(const Graph& graph, std::span<const std::size_t> nodes,
                           std::span<const std::uint32_t> uses);

}  // namespace ddx::ir
