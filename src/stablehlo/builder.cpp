#include "stablehlo/detail/builder.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/stablehlo/module.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {

Builder::Builder(Module& module) : module_(module), block_(&module.body.operations) {}

ValueId Builder::define(const ir::Type& type) {
  module_.types.push_back(type);
  return static_cast<ValueId>(module_.types.size() - 1);
}

Value Builder::parameter(const ir::Type& type) {
  const ValueId id = define(type);
  module_.body.parameters.push_back(id);
  module_.parameters.emplace_back();
  return {*this, id, type};
}

void Builder::finish(const Values& results) {
  module_.results.resize(results.size());
  (void)append(Code::return_, results, {});
}

Values Builder::append(Code code, const Values& operands, const std::vector<ir::Type>& results,
                       std::vector<std::pair<std::string, Attribute>> attributes,
                       std::vector<Region> regions) {
  Operation operation{code, {}, std::move(attributes), std::move(regions)};
  for (const Value& operand : operands) {
    operation.operands.push_back(operand.id());
  }
  operation.result_count = results.size();
  operation.first_result = static_cast<ValueId>(module_.types.size());
  Values values;
  for (const ir::Type& type : results) {
    values.emplace_back(*this, define(type), type);
  }
  block_->push_back(std::move(operation));
  return values;
}

Value Builder::append_one(Code code, const Values& operands, const ir::Type& result,
                          std::vector<std::pair<std::string, Attribute>> attributes,
                          std::vector<Region> regions) {
  return append(code, operands, {result}, std::move(attributes), std::move(regions))[0];
}

Region Builder::region(const std::vector<ir::Type>& parameters, const Body& body) {
  Region region;
  auto outer_constants = std::exchange(constants_, {});
  auto* outer_block = std::exchange(block_, &region.operations);
  Values values;
  for (const ir::Type& type : parameters) {
    region.parameters.push_back(define(type));
    values.emplace_back(*this, region.parameters.back(), type);
  }
  (void)append(Code::return_, body(values), {});
  block_ = outer_block;
  constants_ = std::move(outer_constants);
  return region;
}

Value Builder::constant(const ops::Literal& value, DType dtype) {
  const ir::Type type{{}, dtype};
  const ConstantKey key{dtype, std::bit_cast<std::uint64_t>(value.real), value.integer,
                        std::bit_cast<std::uint64_t>(value.imaginary)};
  if (const auto known = constants_.find(key); known != constants_.end()) {
    return {*this, known->second, type};
  }
  const Value made = append_one(Code::constant_, {}, type, {{"value", Dense{type, value}}});
  constants_.emplace(key, made.id());
  return made;
}

Value Builder::number(double value, DType dtype) {
  switch (info(dtype).kind) {
    case DTypeKind::Float:
    case DTypeKind::Complex:
      return constant({.real = value}, dtype);
    case DTypeKind::Signed:
    case DTypeKind::Unsigned:
    case DTypeKind::Boolean:
      return constant({.integer = static_cast<std::int64_t>(value)}, dtype);
  }
  __builtin_unreachable();
}

Value Builder::filled(double value, const Shape& shape, DType dtype) {
  return broadcast_in_dim(number(value, dtype), shape, {});
}

Value Builder::iota(const Shape& shape, std::size_t axis, DType dtype) {
  return append_one(Code::iota_, {}, {shape, dtype},
                    {{"iota_dimension", Integer{static_cast<std::int64_t>(axis)}}});
}

Value unary(Code code, const Value& x) {
  return x.builder().append_one(code, {x}, x.type());
}

Value binary(Code code, const Value& a, const Value& b) {
  const Shape shape = broadcast(a.shape(), b.shape());
  return a.builder().append_one(code, {stretched(a, shape), stretched(b, shape)},
                                {shape, a.dtype()});
}

namespace {

Value like(double value, const Value& x) {
  return x.builder().number(value, x.dtype());
}

}  // namespace

Value operator+(const Value& a, const Value& b) {
  return binary(Code::add_, a, b);
}
Value operator-(const Value& a, const Value& b) {
  return binary(Code::subtract_, a, b);
}
Value operator*(const Value& a, const Value& b) {
  return binary(Code::multiply_, a, b);
}
Value operator/(const Value& a, const Value& b) {
  return binary(Code::divide_, a, b);
}
Value operator&(const Value& a, const Value& b) {
  return binary(Code::and_, a, b);
}
Value operator|(const Value& a, const Value& b) {
  return binary(Code::or_, a, b);
}
Value operator^(const Value& a, const Value& b) {
  return binary(Code::xor_, a, b);
}
Value operator-(const Value& x) {
  return unary(Code::negate_, x);
}
Value operator~(const Value& x) {
  return unary(Code::not_, x);
}
Value operator+(const Value& a, double b) {
  return a + like(b, a);
}
Value operator-(const Value& a, double b) {
  return a - like(b, a);
}
Value operator-(double a, const Value& b) {
  return like(a, b) - b;
}
Value operator*(const Value& a, double b) {
  return a * like(b, a);
}
Value operator/(const Value& a, double b) {
  return a / like(b, a);
}
Value operator/(double a, const Value& b) {
  return like(a, b) / b;
}
Value maximum(const Value& a, const Value& b) {
  return binary(Code::maximum_, a, b);
}
Value minimum(const Value& a, const Value& b) {
  return binary(Code::minimum_, a, b);
}
Value maximum(const Value& a, double b) {
  return maximum(a, like(b, a));
}
Value minimum(const Value& a, double b) {
  return minimum(a, like(b, a));
}

Value compare(std::string_view direction, const Value& a, const Value& b) {
  const Shape shape = broadcast(a.shape(), b.shape());
  return a.builder().append_one(
      Code::compare_, {stretched(a, shape), stretched(b, shape)}, {shape, DType::boolean},
      {{"comparison_direction", Enumerator{"comparison_direction", std::string(direction)}}});
}

Value compare(std::string_view direction, const Value& a, double b) {
  return compare(direction, a, like(b, a));
}

Value select(const Value& condition, const Value& a, const Value& b) {
  const Shape shape = broadcast(broadcast(condition.shape(), a.shape()), b.shape());
  return a.builder().append_one(
      Code::select_, {stretched(condition, shape), stretched(a, shape), stretched(b, shape)},
      {shape, a.dtype()});
}

Value select(const Value& condition, double a, const Value& b) {
  return select(condition, like(a, b), b);
}

Value select(const Value& condition, const Value& a, double b) {
  return select(condition, a, like(b, a));
}

Value is_nan(const Value& x) {
  return compare("NE", x, x);
}

Value is_finite(const Value& x) {
  return x.builder().append_one(Code::is_finite_, {x}, {x.shape(), DType::boolean});
}

Value cotangent_times(const Value& dy, const Value& f) {
  return select(compare("EQ", dy, 0), dy, dy * f);
}

Value absolute(const Value& x) {
  return unary(Code::abs_, x);
}

Value convert(const Value& x, DType dtype) {
  return x.dtype() == dtype ? x : x.builder().append_one(Code::convert_, {x}, {x.shape(), dtype});
}

Value bitcast(const Value& x, DType dtype) {
  return x.dtype() == dtype
             ? x
             : x.builder().append_one(Code::bitcast_convert_, {x}, {x.shape(), dtype});
}

}  // namespace ddx::stablehlo::detail
