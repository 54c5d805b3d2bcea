#include "backend/cpu_jit/loop.h"

#include "ddx/core/dtype.h"
#include "ddx/core/hash.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace ddx::backend::cpu_jit {
namespace {

/// Which element types an operation of elements.def has.
enum class Types { None, Real, Float };

Types types_of(ops::Op op) noexcept {
  switch (op) {
#define DDX_ELEMENT(op, operands, types) \
  case ops::Op::op:                      \
    return Types::types;
#include "backend/cpu_jit/elements.def"
    default:
      return Types::None;
  }
}

constexpr std::array casts{
    std::pair{DType::f32, DType::bf16},    std::pair{DType::bf16, DType::f32},
    std::pair{DType::f32, DType::f16},     std::pair{DType::f16, DType::f32},
    std::pair{DType::f32, DType::f64},     std::pair{DType::f64, DType::f32},
    std::pair{DType::boolean, DType::f32}, std::pair{DType::boolean, DType::f64},
    std::pair{DType::i32, DType::f32},     std::pair{DType::i64, DType::f32},
    std::pair{DType::u8, DType::f32},
};

std::size_t bytes_of(DType dtype) noexcept {
  return info(dtype).bytes;
}

/// Writes the text of one loop.
class Writer {
 public:
  Writer(const Loop& loop, int width) : loop_(loop), width_(width) {}

  std::string function(std::string_view name) {
    text_.append("define void @").append(name);
    text_ += "(ptr %arrays, ptr %factors, i64 %begin, i64 %end, i64 %row) {\nentry:\n";
    write_entry();
    write_rows();
    text_ += "}\n";
    for (const std::string& declaration : declarations_) {
      text_ += declaration;
    }
    return std::move(text_);
  }

 private:
  void line(std::initializer_list<std::string_view> parts) {
    text_ += "  ";
    for (const std::string_view part : parts) {
      text_ += part;
    }
    text_ += '\n';
  }
  void label(std::string_view name) { text_.append(name).append(":\n"); }

  /// A call of a function of elements/, of pointers and of how many elements there are.
  void call(const std::string& function, std::initializer_list<std::string_view> pointers,
            std::string_view count = {}) {
    std::string types;
    std::string operands;
    for (const std::string_view pointer : pointers) {
      types += types.empty() ? "ptr" : ", ptr";
      operands.append(operands.empty() ? "ptr " : ", ptr ").append(pointer);
    }
    if (!count.empty()) {
      types += ", i64";
      operands.append(", i64 ").append(count);
    }
    line({"call void @", function, "(", operands, ")"});
    declarations_.insert("declare void @" + function + "(" + types + ")\n");
  }

  void reserve(const std::string& name, std::size_t element_bytes) {
    const std::string bytes = std::to_string(element_bytes * static_cast<std::size_t>(width_));
    line({name, " = alloca [", bytes, " x i8], align 64"});
  }

  static std::string base(std::size_t array) { return "%base" + std::to_string(array); }
  /// What is the same for all vectors of an iteration has one place, the first.
  [[nodiscard]] std::string loaded(std::size_t array, int vector) const {
    const Loop::Access access = loop_.arrays[array].access;
    const bool is_one = access == Loop::Access::Number || access == Loop::Access::Column;
    return "%in" + std::to_string(array) + "_" + std::to_string(is_one ? 0 : vector);
  }
  static std::string result(std::size_t instruction, int vector) {
    return "%value" + std::to_string(instruction) + "_" + std::to_string(vector);
  }
  /// A vector of partial sums.
  static std::string sum(std::size_t array, int vector) {
    return "%sum" + std::to_string(array) + "_" + std::to_string(vector);
  }
  static bool is_read(Loop::Access access) {
    return access != Loop::Access::Output && access != Loop::Access::Sum;
  }
  static std::string factor(std::size_t instruction) {
    return "%factor" + std::to_string(instruction);
  }
  [[nodiscard]] std::string place(const Loop::Operand& operand, int vector) const {
    return operand.is_array ? loaded(operand.number, vector) : result(operand.number, vector);
  }
  [[nodiscard]] DType dtype_of(const Loop::Operand& operand) const {
    return operand.is_array ? loop_.arrays[operand.number].dtype
                            : loop_.instructions[operand.number].result;
  }
  /// The element of an array at an index, as a pointer of this name.
  void point(const std::string& name, std::size_t array, std::string_view index) {
    const std::string type = "i" + std::to_string(8 * bytes_of(loop_.arrays[array].dtype));
    line({name, " = getelementptr ", type, ", ptr ", base(array), ", i64 ", index});
  }
  [[nodiscard]] std::string with_bytes(const char* function, std::size_t array) const {
    return function + std::to_string(bytes_of(loop_.arrays[array].dtype));
  }

  /// What all rows have in common: pointers, memory, numbers.
  void write_entry() {
    for (std::size_t i = 0; i < loop_.arrays.size(); ++i) {
      const std::string number = std::to_string(i);
      line({"%at", number, " = getelementptr ptr, ptr %arrays, i64 ", number});
      line({base(i), " = load ptr, ptr %at", number});
      const Loop::Access access = loop_.arrays[i].access;
      if (access == Loop::Access::Sum) {
        for (int v = 0; v < vectors_in_turn; ++v) {
          reserve(sum(i, v), bytes_of(DType::f32));
          line({"store <", std::to_string(width_), " x float> zeroinitializer, ptr ", sum(i, v)});
        }
      }
      const bool is_one = access == Loop::Access::Number || access == Loop::Access::Column;
      for (int v = 0; v < (is_one ? 1 : vectors_in_turn) && is_read(access); ++v) {
        reserve(loaded(i, v), bytes_of(loop_.arrays[i].dtype));
      }
      // Of the last elements of a row, where they do not fill a vector. Apart, since a part of a
      // vector has to be in memory.
      reserve("%some" + number, bytes_of(loop_.arrays[i].dtype));
    }
    std::size_t factors = 0;
    for (std::size_t i = 0; i < loop_.instructions.size(); ++i) {
      const Loop::Instruction& instruction = loop_.instructions[i];
      for (int v = 0; v < vectors_in_turn; ++v) {
        reserve(result(i, v), bytes_of(instruction.result));
      }
      if (ops::info(instruction.op).family == ops::Family::ScaledSum) {
        const bool is_double = instruction.result == DType::f64;
        reserve(factor(i), is_double ? 8 : 4);
        const std::string from = "%given" + std::to_string(i);
        line({from, " = getelementptr double, ptr %factors, i64 ", std::to_string(factors++)});
        call(is_double ? "ddx_factor_f64" : "ddx_factor_f32", {from, factor(i)});
      }
    }
    for (std::size_t i = 0; i < loop_.arrays.size(); ++i) {
      if (loop_.arrays[i].access == Loop::Access::Number) {
        call(with_bytes("ddx_fill_", i), {base(i), loaded(i, 0)});
      }
    }
    line({"%first_row = sdiv i64 %begin, %row"});
    line({"br label %rows"});
  }

  void write_rows() {
    const std::string width = std::to_string(width_);
    const std::string group = std::to_string(width_ * vectors_in_turn);
    label("rows");
    line({"%from = phi i64 [ %begin, %entry ], [ %next, %row_end ]"});
    line({"%row_number = phi i64 [ %first_row, %entry ], [ %next_row, %row_end ]"});
    line({"%is_row = icmp slt i64 %from, %end"});
    line({"br i1 %is_row, label %row_begin, label %done"});
    label("row_begin");
    line({"%left = sub i64 %end, %from"});
    line({"%is_long = icmp slt i64 %row, %left"});
    line({"%count = select i1 %is_long, i64 %row, i64 %left"});
    line({"%in_groups = and i64 %count, -", group});
    line({"%in_vectors = and i64 %count, -", width});
    for (std::size_t i = 0; i < loop_.arrays.size(); ++i) {
      if (loop_.arrays[i].access == Loop::Access::Column) {
        const std::string from = "%column" + std::to_string(i);
        point(from, i, "%row_number");
        call(with_bytes("ddx_fill_", i), {from, loaded(i, 0)});
      }
    }
    line({"br label %groups"});
    label("groups");
    line({"%group_place = phi i64 [ 0, %row_begin ], [ %next_group, %group ]"});
    line({"%is_group = icmp slt i64 %group_place, %in_groups"});
    line({"br i1 %is_group, label %group, label %singles"});
    label("group");
    write_body("g", "%group_place", vectors_in_turn, {});
    line({"%next_group = add i64 %group_place, ", group});
    line({"br label %groups"});
    label("singles");
    line({"%place = phi i64 [ %in_groups, %groups ], [ %next_place, %single ]"});
    line({"%is_single = icmp slt i64 %place, %in_vectors"});
    line({"br i1 %is_single, label %single, label %last"});
    label("single");
    write_body("v", "%place", 1, {});
    line({"%next_place = add i64 %place, ", width});
    line({"br label %singles"});
    label("last");
    line({"%rest = sub i64 %count, %in_vectors"});
    line({"%is_rest = icmp sgt i64 %rest, 0"});
    line({"br i1 %is_rest, label %some, label %row_end"});
    label("some");
    write_body("s", "%in_vectors", 1, "%rest");
    line({"br label %row_end"});
    label("row_end");
    line({"%next = add i64 %from, %count"});
    line({"%next_row = add i64 %row_number, 1"});
    line({"br label %rows"});
    label("done");
    for (std::size_t i = 0; i < loop_.arrays.size(); ++i) {
      for (int v = 0; v < vectors_in_turn && loop_.arrays[i].access == Loop::Access::Sum; ++v) {
        const std::string to = "%sum_of" + std::to_string(i) + "_" + std::to_string(v);
        point(to, i, std::to_string(v * width_));
        call("ddx_store_4", {sum(i, v), to});
      }
    }
    line({"ret void"});
  }

  /// The instructions on some vectors from a place of the row on, or on the first `count` elements
  /// of one.
  void write_body(const std::string& prefix, std::string_view place, int count_of_vectors,
                  std::string_view count) {
    for (int v = 0; v < count_of_vectors; ++v) {
      const std::string name = prefix + std::to_string(v);
      line({"%", name, "_in_row = add i64 ", place, ", ", std::to_string(v * width_)});
      line({"%", name, "_in_all = add i64 %from, %", name, "_in_row"});
      write_loads(name, v, count);
    }
    // One instruction on all vectors, then the next: what waits for another is not all beside it.
    for (std::size_t i = 0; i < loop_.instructions.size(); ++i) {
      for (int v = 0; v < count_of_vectors; ++v) {
        write_instruction(i, v);
      }
    }
    for (std::size_t i = 0; i < loop_.instructions.size(); ++i) {
      if (loop_.instructions[i].sum) {
        write_sums(prefix, i, count_of_vectors, count);
      }
    }
    // After all arrays have been read: an output may lie where one of them lies.
    for (int v = 0; v < count_of_vectors; ++v) {
      write_stores(prefix + std::to_string(v), v, count);
    }
  }

  /// Adds the vectors of a result to its sums, or puts the first `count` elements of one behind
  /// them.
  void write_sums(const std::string& prefix, std::size_t i, int count_of_vectors,
                  std::string_view count) {
    const std::size_t array = *loop_.instructions[i].sum;
    for (int v = 0; v < count_of_vectors; ++v) {
      if (count.empty()) {
        call("ddx_add_f32", {sum(array, v), result(i, v), sum(array, v)});
        continue;
      }
      const std::string some = "%some" + std::to_string(array);
      const std::string to = "%" + prefix + "_rest" + std::to_string(array);
      point(to, array, std::to_string(vectors_in_turn * width_));
      call("ddx_store_4", {result(i, v), some});
      call("ddx_store_first_4", {some, to}, count);
    }
  }

  void write_loads(const std::string& name, int vector, std::string_view count) {
    for (std::size_t i = 0; i < loop_.arrays.size(); ++i) {
      const Loop::Access access = loop_.arrays[i].access;
      if (access != Loop::Access::Whole && access != Loop::Access::Row) {
        continue;
      }
      const std::string from = "%" + name + "_array" + std::to_string(i);
      point(from, i, "%" + name + (access == Loop::Access::Row ? "_in_row" : "_in_all"));
      if (count.empty()) {
        call(with_bytes("ddx_load_", i), {from, loaded(i, vector)});
      } else {
        const std::string some = "%some" + std::to_string(i);
        call(with_bytes("ddx_load_first_", i), {from, some}, count);
        call(with_bytes("ddx_load_", i), {some, loaded(i, vector)});
      }
    }
  }

  void write_stores(const std::string& name, int vector, std::string_view count) {
    for (std::size_t i = 0; i < loop_.instructions.size(); ++i) {
      if (!loop_.instructions[i].output) {
        continue;
      }
      const std::size_t array = *loop_.instructions[i].output;
      const std::string to = "%" + name + "_array" + std::to_string(array);
      point(to, array, "%" + name + "_in_all");
      if (count.empty()) {
        call(with_bytes("ddx_store_", array), {result(i, vector), to});
      } else {
        const std::string some = "%some" + std::to_string(array);
        call(with_bytes("ddx_store_", array), {result(i, vector), some});
        call(with_bytes("ddx_store_first_", array), {some, to}, count);
      }
    }
  }

  void write_instruction(std::size_t i, int vector) {
    const auto& [op, dtype, operands, output, sum] = loop_.instructions[i];
    const auto& row = ops::info(op);
    const auto operand = [&](std::size_t k) { return place(operands[k], vector); };
    const std::string to = result(i, vector);
    if (row.family == ops::Family::Select) {
      call("ddx_select_" + std::to_string(bytes_of(dtype)),
           {operand(0), operand(1), operand(2), to});
      return;
    }
    std::string function = "ddx_" + std::string(row.name) + "_";
    function += to_string(dtype_of(operands[0]));
    if (row.family == ops::Family::Cast) {
      function.append("_").append(to_string(dtype));
    }
    if (row.family == ops::Family::ScaledSum) {
      call(function, {operand(0), operand(1), factor(i), to});
    } else if (operands.size() == 1) {
      call(function, {operand(0), to});
    } else {
      call(function, {operand(0), operand(1), to});
    }
  }

  const Loop& loop_;
  int width_;
  std::string text_;
  std::set<std::string> declarations_;
};

}  // namespace

std::uint64_t hash_of(const Loop& loop) noexcept {
  std::uint64_t hash = loop.arrays.size();
  for (const Loop::Array& array : loop.arrays) {
    hash = mixed(hash, static_cast<std::uint64_t>(array.access) << 8U |
                           static_cast<std::uint64_t>(array.dtype));
  }
  for (const auto& [op, result, operands, output, sum] : loop.instructions) {
    hash = mixed(hash, static_cast<std::uint64_t>(op) << 8U | static_cast<std::uint64_t>(result));
    hash = mixed(hash, output ? *output + 1 : 0);
    hash = mixed(hash, sum ? *sum + 1 : 0);
    for (const Loop::Operand& operand : operands) {
      hash = mixed(hash, operand.number << 1U | (operand.is_array ? 1U : 0U));
    }
  }
  return hash;
}

bool is_compiled(ops::Op op, DType operands, DType result) noexcept {
  if (ops::info(op).family == ops::Family::Cast) {
    return std::ranges::find(casts, std::pair{operands, result}) != casts.end();
  }
  if (ops::info(op).family == ops::Family::Select) {
    return info(result).bytes <= 8 && info(result).kind != DTypeKind::Complex;
  }
  const bool is_float = operands == DType::f32 || operands == DType::f16 || operands == DType::bf16;
  switch (types_of(op)) {
    case Types::None:
      return false;
    case Types::Float:
      return is_float;
    case Types::Real:
      return is_float || operands == DType::f64;
  }
  __builtin_unreachable();
}

std::string llvm_text(const Loop& loop, std::string_view name, int width) {
  return Writer(loop, width).function(name);
}

}  // namespace ddx::backend::cpu_jit
