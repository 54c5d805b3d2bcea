// Fourier transforms along an axis. The specification has them along the last one; its inverse
// transforms are divided by the number of elements.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace ddx::stablehlo::detail {
namespace {

using ops::Op;

Value part(Code code, const Value& x) {
  return x.builder().append_one(code, {x}, {x.shape(), part_dtype(x.dtype())});
}

Value joined(const Value& real, const Value& imaginary) {
  return real.builder().append_one(Code::complex_, {real, imaginary},
                                   {real.shape(), complex_dtype(real.dtype())});
}

/// Half a spectrum without the imaginary parts that are ignored.
Value symmetric(const Value& x, std::int64_t extent) {
  const std::size_t last = x.rank() - 1;
  const Value places = x.builder().iota(x.shape(), last);
  Value is_real = compare("EQ", places, 0);
  if (extent % 2 == 0) {
    is_real = is_real | compare("EQ", places, static_cast<double>(extent / 2));
  }
  return joined(part(Code::real_, x), select(is_real, 0, part(Code::imag_, x)));
}

Value scaled(const Value& x, double factor) {
  if (factor == 1) {
    return x;
  }
  return x * factor;
}

/// With the axis and the last one swapped.
Value exchanged(const Value& x, std::size_t axis) {
  Ints order = first_integers(x.rank());
  std::swap(order[axis], order.back());
  return transpose(x, order);
}

}  // namespace

Values emit_fourier(const Call& call) {
  const auto& a = call.as<ops::FourierAttributes>();
  const std::int64_t extent =
      call.op == Op::irfft ? call.shape()[a.axis] : call.in(0).extent(a.axis);
  if (extent == 0) {
    return {call.builder.zeros(call.results[0])};  // Half a spectrum of nothing.
  }
  const char* kind = call.op == Op::rfft    ? "RFFT"
                     : call.op == Op::irfft ? "IRFFT"
                     : a.inverse            ? "IFFT"
                                            : "FFT";
  Value x = exchanged(call.in(0), a.axis);
  if (call.op == Op::irfft) {
    x = symmetric(x, extent);
  }
  const Shape shape = with_extent(x.shape(), x.rank() - 1, call.shape()[a.axis]);
  const Value y = call.builder.append_one(
      Code::fft_, {x}, {shape, call.dtype()},
      {{"fft_type", Enumerator{"fft_type", kind}}, {"fft_length", Ints{extent}}});
  const bool divided = call.op == Op::irfft || (call.op == Op::fft && a.inverse);
  return {exchanged(scaled(y, divided ? a.scale * static_cast<double>(extent) : a.scale), a.axis)};
}

}  // namespace ddx::stablehlo::detail
