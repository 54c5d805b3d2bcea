/// \file
/// A StableHLO program as data: one function of operations, built by the emitter, written by the
/// printer, read by the parser and checked by the verifier.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::stablehlo {

/// An operation of StableHLO. The rows are in ddx/stablehlo/operations.def.
enum class Code : std::uint8_t {
#define DDX_STABLEHLO(name, rule, operands, regions, elements, attributes) name##_,
#include "ddx/stablehlo/operations.def"
  return_,  ///< What ends a region: stablehlo.return, and of the function func.return.
};

/// How the types, attributes and regions of an operation must fit together.
enum class Rule : std::uint8_t {
  Elementwise,
  Predicate,
  Select,
  Convert,
  BitcastConvert,
  Complex,
  Part,
  Constant,
  Iota,
  BroadcastInDim,
  Concatenate,
  Pad,
  Reshape,
  Reverse,
  Slice,
  Transpose,
  DynamicSlice,
  DynamicUpdateSlice,
  Gather,
  Scatter,
  Reduce,
  ReduceWindow,
  SelectAndScatter,
  Sort,
  DotGeneral,
  Convolution,
  Fft,
  Cholesky,
  TriangularSolve,
  Case,
  While,
  AllReduce,
  AllGather,
  ReduceScatter,
  AllToAll,
  CollectivePermute,
  Return,
};

/// One row of the table of operations.
struct CodeInfo {
  Code code;
  std::string_view name;  ///< Without "stablehlo.".
  Rule rule;
  int operands;
  int regions;
  std::string_view elements;
  std::string_view attributes;
};

/// Every operation, in the order of the enumerators.
inline constexpr auto code_table = std::to_array<CodeInfo>({
#define DDX_STABLEHLO(name, rule, operands, regions, elements, attributes) \
  {Code::name##_, #name, Rule::rule, operands, regions, elements, attributes},
#include "ddx/stablehlo/operations.def"
    {Code::return_, "return", Rule::Return, -1, 0, "", ""},
});

/// The row of an operation.
[[nodiscard]] constexpr const CodeInfo& info(Code code) noexcept {
  return code_table[static_cast<std::size_t>(code)];
}

/// A value: a parameter of the function or of a region, or a result. Numbered in the order of
/// definition.
enum class ValueId : std::uint32_t {};

/// An integer of 32 or 64 bits.
struct Integer {
  std::int64_t value = 0;
  int bits = 64;

  friend bool operator==(const Integer&, const Integer&) = default;
};

/// An array of one element, or whose elements are all the same.
struct Dense {
  ir::Type type;
  ops::Literal element;
};

/// Integers in rows of one length.
struct Matrix {
  std::int64_t columns = 0;
  std::vector<std::int64_t> values;

  [[nodiscard]] std::int64_t rows() const noexcept {
    return columns == 0 ? 0 : static_cast<std::int64_t>(values.size()) / columns;
  }
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// A value of an enumeration, as `#stablehlo<comparison_direction LT>`.
struct Enumerator {
  std::string kind;
  std::string value;

  friend bool operator==(const Enumerator&, const Enumerator&) = default;
};

/// A field of a record: one integer, or several in brackets.
struct Field {
  std::string name;
  bool is_list = true;
  std::vector<std::int64_t> values;

  friend bool operator==(const Field&, const Field&) = default;
};

/// A record, as `#stablehlo.dot<lhs_contracting_dimensions = [1], ...>`.
struct Fields {
  std::string kind;
  std::vector<Field> fields;

  friend bool operator==(const Fields&, const Fields&) = default;
};

/// An attribute whose presence is its value.
struct Unit {
  friend bool operator==(const Unit&, const Unit&) = default;
};

/// The attributes of an operation.
using Attribute = std::variant<Integer, bool, std::vector<std::int64_t>, std::vector<bool>, Matrix,
                               Enumerator, std::vector<Enumerator>, Fields, Dense, Unit>;

/// A position in a text, from 1; 0 if there is none.
struct TextPlace {
  std::size_t line = 0;
  std::size_t column = 0;
};

struct Region;

/// One operation. Its results have the numbers from `first_result` on.
struct Operation {
  Code code = Code::return_;
  std::vector<ValueId> operands;
  std::vector<std::pair<std::string, Attribute>> attributes;
  std::vector<Region> regions;
  ValueId first_result{};
  std::size_t result_count = 0;
  TextPlace place = {};
};

/// A sequence of operations with parameters, the last one a `return`.
struct Region {
  std::vector<ValueId> parameters;
  std::vector<Operation> operations;
};

/// How the memory of a parameter may be used.
enum class Donation : std::uint8_t {
  None,    ///< It is only read.
  Result,  ///< Result number `aliased` overwrites it.
  Any,     ///< The compiler chooses which result overwrites it.
};

/// The axes of a grid of devices, each with its name and extent.
struct Mesh {
  std::vector<std::pair<std::string, std::int64_t>> axes;

  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// How an array is partitioned over a mesh: for each of its axes the names of the mesh axes that
/// split it. Empty: replicated.
using Sharding = std::vector<std::vector<std::string>>;

/// The attributes of a parameter or a result of the function.
struct Placement {
  Donation donation = Donation::None;
  std::size_t aliased = 0;
  bool is_sharded = false;  ///< Whether `sharding` applies.
  Sharding sharding = {};

  friend bool operator==(const Placement&, const Placement&) = default;
};

/// A program: the function `main`.
struct Module {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  Mesh mesh = {};                          ///< Without axes if nothing is sharded.
  std::vector<ir::Type> types = {};        ///< Of each value.
  std::vector<Placement> parameters = {};  ///< Of each parameter of the function.
  std::vector<Placement> results = {};     ///< Of each of its results.
  Region body = {};

  [[nodiscard]] const ir::Type& type(ValueId value) const noexcept {
    return types[static_cast<std::size_t>(value)];
  }
  /// The values that the function returns. Requires that the body ends in a `return`.
  [[nodiscard]] const std::vector<ValueId>& returned() const noexcept {
    return body.operations.back().operands;
  }
};

}  // namespace ddx::stablehlo
