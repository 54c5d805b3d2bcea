#include "tests/conformance/host_array.h"

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include <vector>

namespace ddx::testing {
namespace {

/// A floating number of the domain from a uniform one in [0, 1).
double floating(ops::Domain domain, double unit) {
  switch (domain) {
    case ops::Domain::NoOperand:
      return 0;
    case ops::Domain::Any:
      return 4 * unit - 2;
    case ops::Domain::Positive:
      return 0.25 + 1.75 * unit;
    case ops::Domain::AwayFromZero:
      return unit < 0.5 ? -2 + 3.5 * unit : 0.25 + 3.5 * (unit - 0.5);
    case ops::Domain::AwayFromIntegers: {
      // An integer or half, plus 0.1 to 0.4.
      const double halves = std::floor(unit * 8);
      return (halves - 4) / 2 + 0.1 + 0.3 * (unit * 8 - halves);
    }
    case ops::Domain::InsideUnit:
      return 1.8 * unit - 0.9;
    case ops::Domain::AboveOne:
      return 1.25 + 1.75 * unit;
    case ops::Domain::WithSpecials:
      return unit < 0.1 ? INFINITY : unit < 0.2 ? -INFINITY : unit < 0.3 ? NAN : 4 * unit - 2.5;
    case ops::Domain::SmallIntegers:
      return std::floor(5 * unit) - 2;
    case ops::Domain::Counts:
      return std::floor(4 * unit);
    case ops::Domain::CountFirst:
    case ops::Domain::CountSecond:
      break;  // Of a pair: see domain_of.
  }
  return NAN;
}

/// An integer of the domain.
double integer(ops::Domain domain, double unit, bool is_signed) {
  const double lowest = is_signed ? -3 : 0;
  switch (domain) {
    case ops::Domain::Positive:
      return 1 + std::floor(4 * unit);
    case ops::Domain::AwayFromZero: {
      const double value = lowest + std::floor((4 - lowest) * unit);
      return value == 0 ? 4 : value;
    }
    case ops::Domain::Counts:
      return std::floor(4 * unit);
    case ops::Domain::CountFirst:
    case ops::Domain::CountSecond:
      break;  // Of a pair: see domain_of.
    case ops::Domain::NoOperand:
    case ops::Domain::Any:
    case ops::Domain::AwayFromIntegers:
    case ops::Domain::InsideUnit:
    case ops::Domain::AboveOne:
    case ops::Domain::WithSpecials:
    case ops::Domain::SmallIntegers:
      return lowest + std::floor((4 - lowest) * unit);
  }
  return NAN;
}

double element(ops::Domain domain, DTypeKind kind, double unit) {
  switch (kind) {
    case DTypeKind::Float:
      return floating(domain, unit);
    case DTypeKind::Signed:
      return integer(domain, unit, true);
    case DTypeKind::Unsigned:
      return integer(domain, unit, false);
    case DTypeKind::Boolean:
      return unit < 0.5 ? 0 : 1;
    case DTypeKind::Complex:
      return floating(domain, unit);
  }
  return NAN;
}

/// Which element of an array of this shape lies at the index.
std::size_t offset_of(const Shape& shape, const Index& index) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    offset = offset * shape[axis] + index.at(axis);
  }
  return static_cast<std::size_t>(offset);
}

}  // namespace

double HostArray::at(const Index& index) const {
  return values.at(offset_of(shape, index));
}

double& HostArray::at(const Index& index) {
  return values.at(offset_of(shape, index));
}

double HostArray::broadcast_at(const Index& index) const {
  Index own(shape.rank());
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    own[axis] = shape[axis] == 1 ? 0 : index.at(index.size() - shape.rank() + axis);
  }
  return at(own);
}

std::vector<Index> positions(const Shape& shape) {
  std::vector<Index> all;
  Index index(shape.rank(), 0);
  for (std::int64_t i = 0; i < shape.count(); ++i) {
    std::int64_t rest = i;
    for (std::size_t axis = shape.rank(); axis-- > 0;) {
      index[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    all.push_back(index);
  }
  return all;
}

HostArray tabulate(const Shape& shape, DType dtype,
                   const std::function<double(const Index&)>& element) {
  HostArray array{shape, dtype, {}};
  for (const Index& index : positions(shape)) {
    array.values.push_back(element(index));
  }
  return array;
}

ops::Domain domain_of(const ops::OpInfo& op, std::size_t operand) {
  if (op.domain == ops::Domain::CountFirst) {
    return operand == 0 ? ops::Domain::Counts : ops::Domain::Positive;
  }
  if (op.domain == ops::Domain::CountSecond) {
    return operand == 0 ? ops::Domain::Any : ops::Domain::Counts;
  }
  return op.domain;
}

HostArray draw(ops::Domain domain, const Shape& shape, DType dtype, std::uint64_t seed) {
  const RandomKey key(seed);
  std::uint64_t next = 0;
  HostArray array = tabulate(shape, dtype, [&](const Index&) {
    return element(domain, info(dtype).kind, key.words(next++)[0] * 0x1p-32);
  });
  return decode(encode(array).data(), shape, dtype);
}

double wrapped(double value, DType dtype) {
  const DTypeInfo& type = info(dtype);
  if (type.bytes == 8 || (type.kind != DTypeKind::Signed && type.kind != DTypeKind::Unsigned)) {
    return value;
  }
  const double modulus = std::ldexp(1.0, static_cast<int>(8 * type.bytes));
  const double low = value - modulus * std::floor(value / modulus);
  return type.kind == DTypeKind::Signed && low >= modulus / 2 ? low - modulus : low;
}

std::vector<std::byte> encode(const HostArray& array) {
  return visit(array.dtype, [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::byte> bytes(array.values.size() * sizeof(T));
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      const double number = array.values[i];
      T value{};
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        value = static_cast<T>(static_cast<std::int64_t>(number));
      } else if constexpr (ComplexScalar<T>) {
        value = T(static_cast<typename T::value_type>(number));
      } else {
        value = static_cast<T>(number);
      }
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
  });
}

HostArray decode(const std::byte* data, const Shape& shape, DType dtype) {
  return visit(dtype, [&](auto zero) {
    using T = decltype(zero);
    HostArray array{shape, dtype, {}};
    for (std::int64_t i = 0; i < shape.count(); ++i) {
      T value{};
      std::memcpy(&value, data + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
      if constexpr (ComplexScalar<T>) {
        // Of operands without imaginary parts no result has more than rounding leaves.
        const bool is_real = std::abs(value.imag()) < 1e-5 * (1 + std::abs(value.real()));
        array.values.push_back(is_real ? static_cast<double>(value.real()) : NAN);
      } else {
        array.values.push_back(static_cast<double>(value));
      }
    }
    return array;
  });
}

}  // namespace ddx::testing
