/// \file
/// Arrays of double that represent arrays of any dtype, for expected values computed slowly and in
/// double.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ddx::testing {

/// A position in an array, one number per axis.
using Index = std::vector<std::int64_t>;

/// An array whose elements are exactly representable in its dtype; complex ones have no imaginary
/// part (those that do: tests/unit/tensor/complex_test.cpp).
struct HostArray {
  Shape shape;
  DType dtype = DType::f64;
  std::vector<double> values;

  [[nodiscard]] double at(const Index& index) const;
  [[nodiscard]] double& at(const Index& index);
  /// The element that broadcasting puts at `index` of an array of higher rank.
  [[nodiscard]] double broadcast_at(const Index& index) const;
};

/// Every position of a shape, in row-major order.
[[nodiscard]] std::vector<Index> positions(const Shape& shape);

/// The array whose elements are element(position). Not rounded: for expectations.
[[nodiscard]] HostArray tabulate(const Shape& shape, DType dtype,
                                 const std::function<double(const Index&)>& element);

/// The domain of one operand of an operation.
[[nodiscard]] ops::Domain domain_of(const ops::OpInfo& op, std::size_t operand);

/// Random elements of the domain of one operand, the same ones for the same seed. Rounded to the
/// dtype.
[[nodiscard]] HostArray draw(ops::Domain domain, const Shape& shape, DType dtype,
                             std::uint64_t seed);

/// What an integer of the dtype keeps of a whole number: its low bits. Of 64 bits, negative ones of
/// unsigned types stay as they are, since double cannot hold what they wrap around to.
[[nodiscard]] double wrapped(double value, DType dtype);

/// The elements as memory of the dtype, and back. Integers wrap around.
[[nodiscard]] std::vector<std::byte> encode(const HostArray& array);
[[nodiscard]] HostArray decode(const std::byte* data, const Shape& shape, DType dtype);

}  // namespace ddx::testing
