#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace ddx::stablehlo {
namespace {

/// The bits of a floating element, for those that are not decimal numbers.
std::string bits_of(double value, DType dtype) {
  std::uint64_t bits = 0;
  if (dtype == DType::f64) {
    bits = std::bit_cast<std::uint64_t>(value);
  } else if (dtype == DType::f32) {
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  } else if (dtype == DType::f16) {
    bits = std::bit_cast<std::uint16_t>(static_cast<Half>(value));
  } else {
    bits = std::bit_cast<std::uint16_t>(static_cast<BFloat16>(value));
  }
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text = "0x";
  for (std::size_t i = 2 * info(dtype).bytes; i-- > 0;) {
    text += digits[(bits >> (4 * i)) & 15U];
  }
  return text;
}

/// The shortest decimal number that reads back as this one; it needs a point.
std::string floating(double value, DType dtype) {
  const double held = visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> || ComplexScalar<T>) {
      return value;
    } else {
      return static_cast<double>(static_cast<T>(value));
    }
  });
  if (!std::isfinite(held)) {
    return bits_of(held, dtype);
  }
  std::array<char, 32> buffer;
  char* const end = dtype == DType::f64
                        ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), held,
                                        std::chars_format::scientific)
                              .ptr
                        : std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                        static_cast<float>(held), std::chars_format::scientific)
                              .ptr;
  std::string text(buffer.data(), end);
  if (text.find('.') == std::string::npos) {
    text.insert(text.find('e'), ".0");
  }
  if (text.ends_with("e+00")) {
    text.resize(text.size() - 4);
  }
  return text;
}

std::string element(const ops::Literal& literal, DType dtype) {
  switch (info(dtype).kind) {
    case DTypeKind::Float:
      return floating(literal.real, dtype);
    case DTypeKind::Signed:
      return std::to_string(literal.integer);
    case DTypeKind::Unsigned:
      // Wrapped around as in a kernel.
      return visit(dtype, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) {
          return std::to_string(static_cast<T>(literal.integer));
        } else {
          return std::string();
        }
      });
    case DTypeKind::Boolean:
      return literal.integer != 0 ? "true" : "false";
    case DTypeKind::Complex:
      return "(" + floating(literal.real, part_dtype(dtype)) + ", " +
             floating(literal.imaginary, part_dtype(dtype)) + ")";
  }
  __builtin_unreachable();
}

template <class List, class Render>
std::string joined(const List& list, const Render& render) {
  std::string text;
  for (const auto& item : list) {
    text += (text.empty() ? "" : ", ") + render(item);
  }
  return text;
}

std::string numbers(const std::vector<std::int64_t>& values) {
  return joined(values, [](std::int64_t value) { return std::to_string(value); });
}

std::string rendered(const Enumerator& one) {
  return "#stablehlo<" + one.kind + " " + one.value + ">";
}

struct AttributeText {
  std::string operator()(const Integer& one) const {
    return std::to_string(one.value) + " : i" + std::to_string(one.bits);
  }
  std::string operator()(bool one) const { return one ? "true" : "false"; }
  std::string operator()(const std::vector<std::int64_t>& list) const {
    return list.empty() ? "array<i64>" : "array<i64: " + numbers(list) + ">";
  }
  std::string operator()(const std::vector<bool>& list) const {
    return list.empty()
               ? "array<i1>"
               : "array<i1: " + joined(list, [this](bool one) { return (*this)(one); }) + ">";
  }
  std::string operator()(const Matrix& matrix) const {
    std::string rows;
    for (std::int64_t row = 0; row < matrix.rows(); ++row) {
      const auto first = matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.columns);
      rows += (row == 0 ? "[" : ", [") +
              numbers({first, first + static_cast<std::ptrdiff_t>(matrix.columns)}) + "]";
    }
    return "dense<" + (rows.empty() ? "" : "[" + rows + "]") + "> : tensor<" +
           std::to_string(matrix.rows()) + "x" + std::to_string(matrix.columns) + "xi64>";
  }
  std::string operator()(const Enumerator& one) const { return rendered(one); }
  std::string operator()(const std::vector<Enumerator>& list) const {
    return "[" + joined(list, rendered) + "]";
  }
  std::string operator()(const Fields& record) const {
    const bool raw = record.kind == "conv";  // The other form is a drawing of axes.
    return "#stablehlo." + record.kind + (raw ? "<raw " : "<") +
           joined(record.fields,
                  [](const Field& field) {
                    return field.name + " = " +
                           (field.is_list ? "[" + numbers(field.values) + "]"
                                          : std::to_string(field.values[0]));
                  }) +
           ">";
  }
  std::string operator()(const Dense& dense) const {
    return "dense<" + element(dense.element, dense.type.dtype) + "> : " + to_string(dense.type);
  }
  std::string operator()(const Unit&) const { return "unit"; }
};

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module), first_of_(module.types.size()) {}

  std::string print() {
    text_ = "module @ddx attributes {mhlo.num_partitions = " + std::to_string(module_.partitions) +
            " : i32, mhlo.num_replicas = " + std::to_string(module_.replicas) + " : i32} {\n";
    if (!module_.mesh.axes.empty()) {
      text_ += "  sdy.mesh @mesh = <[" +
               joined(module_.mesh.axes,
                      [](const auto& axis) {
                        return "\"" + axis.first + "\"=" + std::to_string(axis.second);
                      }) +
               "]>\n";
    }
    text_ += "  func.func @main(";
    for (std::size_t i = 0; i < module_.parameters.size(); ++i) {
      const ValueId id = module_.body.parameters[i];
      text_ += (i == 0 ? "" : ", ") + name(id) + ": " + to_string(module_.type(id)) +
               placement(module_.parameters[i]);
    }
    text_ += ") -> (";
    for (std::size_t i = 0; i < module_.results.size(); ++i) {
      text_ += (i == 0 ? "" : ", ") + to_string(module_.type(module_.returned()[i])) +
               placement(module_.results[i]);
    }
    text_ += ") {\n";
    operations(module_.body, 4, "func.return");
    text_ += "  }\n}\n";
    return std::move(text_);
  }

 private:
  [[nodiscard]] static std::string name(ValueId id) {
    return "%" + std::to_string(static_cast<std::size_t>(id));
  }

  /// A value in a use: one of several results is written as the first with its index.
  [[nodiscard]] std::string use(ValueId id) const {
    const auto first = first_of_[static_cast<std::size_t>(id)];
    if (!first.is_one_of_several) {
      return name(id);
    }
    return name(first.id) + "#" +
           std::to_string(static_cast<std::size_t>(id) - static_cast<std::size_t>(first.id));
  }

  static std::string placement(const Placement& one) {
    std::vector<std::string> parts;
    switch (one.donation) {
      case Donation::None:
        break;
      case Donation::Result:
        parts.push_back("tf.aliasing_output = " + std::to_string(one.aliased) + " : i32");
        break;
      case Donation::Any:
        parts.emplace_back("jax.buffer_donor = true");
        break;
    }
    if (one.is_sharded) {
      parts.push_back(
          "sdy.sharding = #sdy.sharding<@mesh, [" +
          joined(one.sharding,
                 [](const std::vector<std::string>& axes) {
                   return "{" +
                          joined(axes, [](const std::string& axis) { return "\"" + axis + "\""; }) +
                          "}";
                 }) +
          "]>");
    }
    return parts.empty() ? ""
                         : " {" + joined(parts, [](const std::string& part) { return part; }) + "}";
  }

  void operations(const Region& region, std::size_t indent, std::string_view last) {
    for (const Operation& operation : region.operations) {
      text_ += std::string(indent, ' ');
      line(operation, indent, last);
      text_ += '\n';
    }
  }

  void line(const Operation& operation, std::size_t indent, std::string_view last) {
    if (operation.result_count > 0) {
      text_ += name(operation.first_result);
      if (operation.result_count > 1) {
        text_ += ":" + std::to_string(operation.result_count);
      }
      text_ += " = ";
    }
    text_ += operation.code == Code::return_
                 ? "\"" + std::string(last) + "\""
                 : "\"stablehlo." + std::string(info(operation.code).name) + "\"";
    text_ += "(" + joined(operation.operands, [&](ValueId id) { return use(id); }) + ")";
    regions(operation, indent);
    attributes(operation);
    types(operation);
    for (std::size_t i = 0; i < operation.result_count; ++i) {
      first_of_[static_cast<std::size_t>(operation.first_result) + i] = {
          operation.first_result, operation.result_count > 1};
    }
  }

  void regions(const Operation& operation, std::size_t indent) {
    const std::string space(indent, ' ');
    for (std::size_t i = 0; i < operation.regions.size(); ++i) {
      const Region& region = operation.regions[i];
      text_ += i == 0 ? " ({\n" : ", {\n";
      if (!region.parameters.empty()) {
        text_ += space + "^bb0(" +
                 joined(region.parameters,
                        [&](ValueId id) { return name(id) + ": " + to_string(module_.type(id)); }) +
                 "):\n";
      }
      operations(region, indent + 2, "stablehlo.return");
      text_ += space + "}";
    }
    if (!operation.regions.empty()) {
      text_ += ")";
    }
  }

  void attributes(const Operation& operation) {
    if (!operation.attributes.empty()) {
      text_ += " {" +
               joined(operation.attributes,
                      [](const auto& one) {
                        return std::holds_alternative<Unit>(one.second)
                                   ? one.first
                                   : one.first + " = " + std::visit(AttributeText(), one.second);
                      }) +
               "}";
    }
  }

  void types(const Operation& operation) {
    text_ += " : (" +
             joined(operation.operands, [&](ValueId id) { return to_string(module_.type(id)); }) +
             ") -> ";
    std::string results;
    for (std::size_t i = 0; i < operation.result_count; ++i) {
      const std::size_t id = static_cast<std::size_t>(operation.first_result) + i;
      results += (i == 0 ? "" : ", ") + to_string(module_.types[id]);
    }
    text_ += operation.result_count == 1 ? results : "(" + results + ")";
  }

  struct First {
    ValueId id{};
    bool is_one_of_several = false;
  };

  const Module& module_;
  std::vector<First> first_of_;  // For each value, of what operation's results it is one.
  std::string text_;
};

}  // namespace

std::string to_string(const ir::Type& type) {
  std::string text = "tensor<";
  for (const std::int64_t extent : type.shape.extents()) {
    text += std::to_string(extent) + "x";
  }
  return text + std::string(info(type.dtype).stablehlo) + ">";
}

std::string to_text(const Module& module) {
  return Printer(module).print();
}

}  // namespace ddx::stablehlo
