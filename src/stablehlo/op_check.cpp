#include "stablehlo/detail/op_check.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::stablehlo::detail {

std::string text_of(const Ints& list) {
  std::string text;
  for (const std::int64_t value : list) {
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  }
  return "[" + text + "]";
}

void OpCheck::fail(const std::string& expected, const std::string& found) const {
  const TextPlace& place = operation_.place;
  throw UsageError("verify", (place.line == 0 ? ""
                                              : "line " + std::to_string(place.line) + ", column " +
                                                    std::to_string(place.column) + ", ") +
                                 "stablehlo." + std::string(info(operation_.code).name) +
                                 ": expected " + expected + ", found " + found);
}

const Attribute* OpCheck::find(std::string_view name) const {
  const auto known = std::ranges::find_if(operation_.attributes,
                                          [&](const auto& one) { return one.first == name; });
  return known == operation_.attributes.end() ? nullptr : &known->second;
}

Ints OpCheck::list(std::string_view record, std::string_view field) const {
  for (const Field& one : get<Fields>(record).fields) {
    if (one.name == field) {
      require(one.is_list, std::string(field) + " to be a list", "a number");
      return one.values;
    }
  }
  return {};
}

std::int64_t OpCheck::number(std::string_view record, std::string_view field) const {
  for (const Field& one : get<Fields>(record).fields) {
    if (one.name == field) {
      require(!one.is_list, std::string(field) + " to be a number", "a list");
      return one.values[0];
    }
  }
  fail("a field " + std::string(field) + " of " + std::string(record), "none");
}

void OpCheck::require_fields(std::string_view record, std::string_view kind,
                             const std::vector<std::string_view>& names) const {
  const auto& fields = get<Fields>(record);
  require(fields.kind == kind, "a record of kind " + std::string(kind), fields.kind);
  for (std::size_t i = 0; i < fields.fields.size(); ++i) {
    const std::string& name = fields.fields[i].name;
    require(std::ranges::find(names, name) != names.end(), "a field of " + std::string(kind), name);
    for (std::size_t k = 0; k < i; ++k) {
      require(fields.fields[k].name != name, "each field once", name + " twice");
    }
  }
}

std::int64_t OpCheck::sum(std::int64_t a, std::int64_t b) const {
  std::int64_t result = 0;
  require(!__builtin_add_overflow(a, b, &result), "numbers of 64 bits",
          std::to_string(a) + " + " + std::to_string(b));
  return result;
}

std::int64_t OpCheck::product(std::int64_t a, std::int64_t b) const {
  std::int64_t result = 0;
  require(!__builtin_mul_overflow(a, b, &result), "numbers of 64 bits",
          std::to_string(a) + " * " + std::to_string(b));
  return result;
}

void OpCheck::require_results(std::size_t count) const {
  require(results() == count, std::to_string(count) + " results", std::to_string(results()));
}

void OpCheck::require_operand(std::size_t i, const ir::Type& type) const {
  require(operand(i) == type, "operand " + std::to_string(i) + " to be " + to_string(type),
          to_string(operand(i)));
}

void OpCheck::require_result(const ir::Type& type, std::size_t i) const {
  require(result(i) == type, "result " + std::to_string(i) + " to be " + to_string(type),
          to_string(result(i)));
}

void OpCheck::require_shape(const Shape& shape) const {
  require_results(1);
  require_result({shape, operand(0).dtype});
}

void OpCheck::require_length(std::string_view name, std::size_t length) const {
  require(ints(name).size() == length, std::to_string(length) + " integers in " + std::string(name),
          text_of(ints(name)));
}

void OpCheck::require_axes(std::string_view what, const Ints& axes, std::size_t rank,
                           bool sorted) const {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool inside = axes[i] >= 0 && axes[i] < static_cast<std::int64_t>(rank);
    require(inside, std::string(what) + " to be axes below " + std::to_string(rank), text_of(axes));
    require(std::count(axes.begin(), axes.end(), axes[i]) == 1,
            std::string(what) + " to name each axis once", text_of(axes));
  }
  require(!sorted || std::ranges::is_sorted(axes), std::string(what) + " to be sorted",
          text_of(axes));
}

std::size_t OpCheck::axis(std::string_view name, std::size_t rank) const {
  const std::int64_t axis = integer(name);
  require(axis >= 0 && axis < static_cast<std::int64_t>(rank),
          std::string(name) + " below " + std::to_string(rank), std::to_string(axis));
  return static_cast<std::size_t>(axis);
}

void OpCheck::require_enumerator(std::string_view name, std::string_view kind,
                                 const std::vector<std::string_view>& values) const {
  const auto& one = get<Enumerator>(name);
  std::string all;
  for (const std::string_view value : values) {
    all += (all.empty() ? "" : ", ") + std::string(value);
  }
  require(one.kind == kind && std::ranges::find(values, one.value) != values.end(),
          std::string(name) + " to be a " + std::string(kind) + " among " + all,
          one.kind + " " + one.value);
}

void OpCheck::require_region(std::size_t i, const std::vector<ir::Type>& parameters,
                             const std::vector<ir::Type>& returned) const {
  const Region& region = operation_.regions[i];
  const auto check = [&](const char* what, const std::vector<ValueId>& values,
                         const std::vector<ir::Type>& types) {
    const std::string name = "region " + std::to_string(i) + what;
    require(values.size() == types.size(), name + std::to_string(types.size()) + " values",
            std::to_string(values.size()));
    for (std::size_t k = 0; k < types.size(); ++k) {
      require(module_.type(values[k]) == types[k],
              name + to_string(types[k]) + " in place " + std::to_string(k),
              to_string(module_.type(values[k])));
    }
  };
  check(" to take ", region.parameters, parameters);
  check(" to return ", region.operations.back().operands, returned);
}

}  // namespace ddx::stablehlo::detail
