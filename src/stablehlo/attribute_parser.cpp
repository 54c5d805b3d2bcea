#include "stablehlo/detail/attribute_parser.h"

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/cursor.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

/// A floating number of a dtype, from its decimal form or its bits.
double floating(Cursor& cursor, DType dtype) {
  const Cursor::Number number = cursor.number();
  if (!number.is_bits) {
    return number.value;
  }
  switch (info(dtype).bytes) {
    case 2:
      return dtype == DType::f16
                 ? static_cast<double>(std::bit_cast<Half>(static_cast<std::uint16_t>(number.bits)))
                 : static_cast<double>(
                       std::bit_cast<BFloat16>(static_cast<std::uint16_t>(number.bits)));
    case 4:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number.bits)));
    default:
      return std::bit_cast<double>(number.bits);
  }
}

ops::Literal element(Cursor& cursor, DType dtype) {
  switch (info(dtype).kind) {
    case DTypeKind::Float:
      return {.real = floating(cursor, dtype)};
    case DTypeKind::Signed:
      return {.integer = cursor.integer()};
    case DTypeKind::Unsigned:
      return {.integer = static_cast<std::int64_t>(cursor.natural())};
    case DTypeKind::Boolean: {
      const bool holds = cursor.accept("true");
      if (!holds) {
        cursor.expect("false");
      }
      return {.integer = holds ? 1 : 0};
    }
    case DTypeKind::Complex: {
      ops::Literal literal;
      cursor.expect("(");
      literal.real = floating(cursor, part_dtype(dtype));
      cursor.expect(",");
      literal.imaginary = floating(cursor, part_dtype(dtype));
      cursor.expect(")");
      return literal;
    }
  }
  __builtin_unreachable();
}

/// The rows behind `dense<`.
Matrix matrix(Cursor& cursor) {
  Matrix result;
  std::int64_t rows = 0;
  if (!cursor.accept(">")) {
    cursor.expect("[");
    do {
      cursor.expect("[");
      const std::vector<std::int64_t> row = cursor.integers_until(']');
      const auto length = static_cast<std::int64_t>(row.size());
      if (rows++ > 0 && length != result.columns) {
        cursor.fail("a row of " + std::to_string(result.columns) + " integers before");
      }
      result.columns = length;
      result.values.insert(result.values.end(), row.begin(), row.end());
    } while (cursor.accept(","));
    cursor.expect("]");
    cursor.expect(">");
  }
  cursor.expect(":");
  const TextPlace place = cursor.place();
  const ir::Type type = cursor.type();
  if (rows == 0 && type.shape.rank() == 2) {
    result.columns = type.shape[1];
  }
  if (type.dtype != DType::i64 || type.shape.rank() != 2 || type.shape[0] != rows ||
      type.shape[1] != result.columns) {
    cursor.fail(place, "expected the type of " + std::to_string(rows) + " rows of " +
                           std::to_string(result.columns) + " i64, found another one");
  }
  return result;
}

/// What stands in `dense<...>` comes before the type that says how to read it: so the type is read
/// first, from a copy of the cursor that has gone over the element.
Attribute dense(Cursor& cursor) {
  cursor.expect("<");
  if (cursor.next_is('[') || cursor.next_is('>')) {
    return matrix(cursor);
  }
  Cursor ahead = cursor;
  if (ahead.accept("(")) {
    (void)ahead.number();
    ahead.expect(",");
    (void)ahead.number();
    ahead.expect(")");
  } else if (!ahead.accept("true") && !ahead.accept("false")) {
    (void)ahead.number();
  }
  ahead.expect(">");
  ahead.expect(":");
  const ir::Type type = ahead.type();
  const ops::Literal literal = element(cursor, type.dtype);
  cursor.expect(">");
  cursor = ahead;
  return Dense{type, literal};
}

/// Behind `#stablehlo<`.
Enumerator enumerator(Cursor& cursor) {
  Enumerator one;
  one.kind = cursor.word();
  one.value = cursor.word();
  cursor.expect(">");
  return one;
}

/// Behind `#stablehlo.`.
Fields fields(Cursor& cursor, std::string_view kind) {
  Fields record{std::string(kind), {}};
  cursor.expect("<");
  if (kind == "conv") {
    cursor.expect("raw");
  }
  do {
    Field field;
    field.name = cursor.word();
    cursor.expect("=");
    field.is_list = cursor.accept("[");
    field.values =
        field.is_list ? cursor.integers_until(']') : std::vector<std::int64_t>{cursor.integer()};
    record.fields.push_back(std::move(field));
  } while (cursor.accept(","));
  cursor.expect(">");
  return record;
}

Attribute array(Cursor& cursor) {
  cursor.expect("<");
  if (cursor.accept("i64")) {
    return cursor.accept(":") ? cursor.integers_until('>')
                              : (cursor.expect(">"), std::vector<std::int64_t>());
  }
  cursor.expect("i1");
  std::vector<bool> list;
  if (cursor.accept(":")) {
    do {
      const bool holds = cursor.accept("true");
      if (!holds) {
        cursor.expect("false");
      }
      list.push_back(holds);
    } while (cursor.accept(","));
  }
  cursor.expect(">");
  return list;
}

}  // namespace

Attribute parse_attribute(Cursor& cursor) {
  if (cursor.accept("true")) {
    return true;
  }
  if (cursor.accept("false")) {
    return false;
  }
  if (cursor.accept("array")) {
    return array(cursor);
  }
  if (cursor.accept("dense")) {
    return dense(cursor);
  }
  if (cursor.accept("#stablehlo<")) {
    return enumerator(cursor);
  }
  if (cursor.accept("[")) {
    std::vector<Enumerator> list;
    do {
      cursor.expect("#stablehlo<");
      list.push_back(enumerator(cursor));
    } while (cursor.accept(","));
    cursor.expect("]");
    return list;
  }
  if (cursor.accept("#")) {
    const std::string_view name = cursor.word();
    constexpr std::string_view dialect = "stablehlo.";
    if (!name.starts_with(dialect)) {
      cursor.fail("a record of stablehlo before");
    }
    return fields(cursor, name.substr(dialect.size()));
  }
  const std::int64_t value = cursor.integer();
  cursor.expect(":");
  if (cursor.accept("i64")) {
    return Integer{value, 64};
  }
  cursor.expect("i32");
  return Integer{value, 32};
}

}  // namespace ddx::stablehlo::detail
