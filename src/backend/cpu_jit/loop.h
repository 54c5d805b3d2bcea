/// \file
/// Elementwise loops as programs: what is compiled, and what the compiled code is called with.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::backend::cpu_jit {

/// A loop over the elements [begin, end) of arrays that lie in rows of `row` elements; where there
/// are Columns or Rows, `begin` is the first of a row, or, without Columns, of a shorter one that
/// the Rows repeat. `arrays` and `factors` are as in Loop.
using LoopFunction = void (*)(std::byte* const* arrays, const double* factors, std::int64_t begin,
                              std::int64_t end, std::int64_t row);

/// Instructions that compute an element of each output from elements at the same place.
struct Loop {
  /// How an array is read, or that it is written.
  enum class Access : std::uint8_t {
    Whole,   ///< Read: it has an element for each of the loop.
    Row,     ///< Read: one row, for all.
    Column,  ///< Read: one element for each row.
    Number,  ///< Read: one element.
    Output,  ///< Written, with an element for each of the loop. May lie where a Whole lies.
    Sum,     ///< Written, of f32: PartialSums of the elements of one row at most.
  };
  struct Array {
    Access access;
    DType dtype;

    friend bool operator==(const Array&, const Array&) = default;
  };
  /// What an operand is: an array, or the result of an earlier instruction.
  struct Operand {
    bool is_array;
    std::size_t number;

    friend bool operator==(const Operand&, const Operand&) = default;
  };
  struct Instruction {
    ops::Op op;
    DType result;
    std::vector<Operand> operands;
    std::optional<std::size_t> output{};  ///< The array that the result goes to.
    std::optional<std::size_t> sum{};     ///< The Sum that the result goes to.

    friend bool operator==(const Instruction&, const Instruction&) = default;
  };

  std::vector<Array> arrays;
  /// Those of `add_scaled` take factors, in their order.
  std::vector<Instruction> instructions;

  friend bool operator==(const Loop&, const Loop&) = default;
};

/// A number that is equal for equal loops.
[[nodiscard]] std::uint64_t hash_of(const Loop& loop) noexcept;

/// How many instructions a loop may have. The time to compile them grows faster than their number:
/// 64 functions of the most expensive kind take 0.2 s.
inline constexpr std::size_t most_instructions = 64;

/// How many vectors a turn of a loop computes; a power of two. An elementary function is a chain of
/// some 30 instructions that wait for each other, and the processor looks ahead some hundred, so
/// several chains must stand side by side. Measured with 16 times tanh on a Zen 5, ns per element
/// and function: 0.56 with one vector, 0.34 with two, 0.18 with four, 0.12 with eight, which take
/// twice as long to compile and gelu no less time; by the kernel, 0.145.
inline constexpr int vectors_in_turn = 4;

/// What a Sum holds after a call that began with the first of its elements: of each vector of a
/// turn the sum of those at its place, where vectors that are no whole turn count as the first one;
/// then the elements that do not fill a vector. So cpu::sum_of_partial_sums makes of it what the
/// kernels of sums make of a block.
inline constexpr int vectors_in_sum = vectors_in_turn + 1;

/// Whether compiled loops may have an operation, of operands of this type (of a choice, the last
/// two) and with this result.
[[nodiscard]] bool is_compiled(ops::Op op, DType operands, DType result) noexcept;

/// The loop as a function `name` in LLVM's assembly language, of vectors of `width` elements, which
/// calls the functions of elements/. Different loops have different texts.
///
/// Requires: is_compiled of all instructions.
[[nodiscard]] std::string llvm_text(const Loop& loop, std::string_view name, int width);

}  // namespace ddx::backend::cpu_jit
