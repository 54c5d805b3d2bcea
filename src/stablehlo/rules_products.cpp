// Rules of products, transforms and linear algebra.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "stablehlo/detail/op_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

/// Sums of products may have more precision than the operands.
void require_sums(const OpCheck& check, const Shape& shape) {
  const DType from = check.operand(0).dtype;
  const DType to = check.result().dtype;
  const bool wider = info(from).kind == info(to).kind && info(from).bytes < info(to).bytes;
  check.require_result({shape, wider ? to : from});
}

void check_precision(const OpCheck& check) {
  const auto& list = check.get<std::vector<Enumerator>>("precision_config");
  check.require(list.size() == 2, "a precision for each operand", std::to_string(list.size()));
  for (const Enumerator& one : list) {
    const bool known = one.value == "DEFAULT" || one.value == "HIGH" || one.value == "HIGHEST";
    check.require(one.kind == "precision" && known, "a precision", one.kind + " " + one.value);
  }
}

void check_dot(const OpCheck& check) {
  constexpr const char* record = "dot_dimension_numbers";
  check.require_fields(record, "dot",
                       {"lhs_batching_dimensions", "rhs_batching_dimensions",
                        "lhs_contracting_dimensions", "rhs_contracting_dimensions"});
  check_precision(check);
  check.require(check.operand(0).dtype == check.operand(1).dtype, "operands of one element type",
                to_string(check.operand(1)));
  const Shape& a = check.shape(0);
  const Shape& b = check.shape(1);
  const Ints batch_a = check.list(record, "lhs_batching_dimensions");
  const Ints batch_b = check.list(record, "rhs_batching_dimensions");
  const Ints inner_a = check.list(record, "lhs_contracting_dimensions");
  const Ints inner_b = check.list(record, "rhs_contracting_dimensions");
  check.require_axes("axes of the left operand", joined(batch_a, inner_a), a.rank());
  check.require_axes("axes of the right operand", joined(batch_b, inner_b), b.rank());
  check.require(batch_a.size() == batch_b.size() && inner_a.size() == inner_b.size(),
                "as many axes of one operand as of the other", text_of(joined(batch_b, inner_b)));
  const Ints all_a = joined(batch_a, inner_a);
  const Ints all_b = joined(batch_b, inner_b);
  Ints extents;
  for (std::size_t i = 0; i < all_a.size(); ++i) {
    const std::int64_t left = a[static_cast<std::size_t>(all_a[i])];
    const std::int64_t right = b[static_cast<std::size_t>(all_b[i])];
    check.require(left == right,
                  "axis " + std::to_string(all_b[i]) + " of extent " + std::to_string(left),
                  std::to_string(right));
    if (i < batch_a.size()) {
      extents.push_back(left);
    }
  }
  const auto append_free = [&extents](const Shape& shape, const Ints& taken) {
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      if (!contains(taken, static_cast<std::int64_t>(axis))) {
        extents.push_back(shape[axis]);
      }
    }
  };
  append_free(a, all_a);
  append_free(b, all_b);
  require_sums(check, shape_of(extents));
}

/// The roles of the axes of an operand or result.
struct Dimensions {
  std::size_t first;
  std::size_t second;
  Ints window;
};

Dimensions axes_of(const OpCheck& check, const std::string& prefix, const char* first,
                   const char* second, std::size_t rank) {
  constexpr const char* record = "dimension_numbers";
  const std::int64_t one = check.number(record, prefix + first);
  const std::int64_t other = check.number(record, prefix + second);
  const Ints window = check.list(record, prefix + "_spatial_dimensions");
  const Ints all = joined(window, {one, other});
  check.require_axes(prefix + " axes", all, rank);
  check.require(all.size() == rank, std::to_string(rank) + " " + prefix + " axes", text_of(all));
  return {static_cast<std::size_t>(one), static_cast<std::size_t>(other), window};
}

void require_divisible(const OpCheck& check, const char* what, std::int64_t extent,
                       std::int64_t groups) {
  check.require(extent % groups == 0,
                std::string(what) + " in " + std::to_string(groups) + " groups",
                std::to_string(extent));
}

void check_convolution(const OpCheck& check) {
  check.require_fields(
      "dimension_numbers", "conv",
      {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
       "kernel_input_feature_dimension", "kernel_output_feature_dimension",
       "kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension",
       "output_spatial_dimensions"});
  check_precision(check);
  const Shape& x = check.shape(0);
  const Shape& k = check.shape(1);
  check.require(
      check.operand(0).dtype == check.operand(1).dtype && x.rank() == k.rank() && x.rank() >= 2,
      "a kernel of the input's elements and rank", to_string(check.operand(1)));
  const Dimensions input =
      axes_of(check, "input", "_batch_dimension", "_feature_dimension", x.rank());
  const Dimensions kernel =
      axes_of(check, "kernel", "_input_feature_dimension", "_output_feature_dimension", x.rank());
  const Dimensions output =
      axes_of(check, "output", "_batch_dimension", "_feature_dimension", x.rank());
  const std::int64_t groups = check.integer("feature_group_count");
  const std::int64_t samples = check.integer("batch_group_count");
  check.require(groups > 0 && samples > 0 && (groups == 1 || samples == 1),
                "groups of channels or of samples",
                std::to_string(groups) + " and " + std::to_string(samples));
  require_divisible(check, "input channels", x[input.second], groups);
  require_divisible(check, "samples", x[input.first], samples);
  require_divisible(check, "output channels", k[kernel.second], groups * samples);
  check.require(k[kernel.first] == x[input.second] / groups,
                "a kernel of " + std::to_string(x[input.second] / groups) + " input channels",
                std::to_string(k[kernel.first]));
  const std::size_t n = x.rank() - 2;
  for (const char* name : {"window_strides", "lhs_dilation", "rhs_dilation"}) {
    check.require_length(name, n);
  }
  WindowExtents window{
      {}, {}, check.ints("window_strides"), check.ints("lhs_dilation"), check.ints("rhs_dilation")};
  for (std::size_t i = 0; i < n; ++i) {
    window.base.push_back(x[static_cast<std::size_t>(input.window[i])]);
    window.size.push_back(k[static_cast<std::size_t>(kernel.window[i])]);
  }
  const Ints places = window_extents(check, window, check.get<Matrix>("padding"));
  Ints extents(x.rank());
  extents[output.first] = x[input.first] / samples;
  extents[output.second] = k[kernel.second];
  for (std::size_t i = 0; i < n; ++i) {
    extents[static_cast<std::size_t>(output.window[i])] = places[i];
  }
  require_sums(check, shape_of(extents));
}

void check_fft(const OpCheck& check) {
  check.require_enumerator("fft_type", "fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"});
  const std::string& kind = check.get<Enumerator>("fft_type").value;
  const Ints& length = check.ints("fft_length");
  const Shape& x = check.shape(0);
  check.require(!length.empty() && length.size() <= 3 && length.size() <= x.rank(),
                "one to three lengths, at most one for each axis", text_of(length));
  const bool from_real = kind == "RFFT";
  const bool to_real = kind == "IRFFT";
  check.require(is_complex(check.operand(0).dtype) != from_real, "elements for " + kind,
                to_string(check.operand(0)));
  Ints extents(x.extents().begin(), x.extents().end());
  for (std::size_t i = 0; i < length.size(); ++i) {
    const std::size_t axis = x.rank() - length.size() + i;
    const bool last = i + 1 == length.size();
    const std::int64_t half = length[i] / 2 + 1;
    const std::int64_t wanted = last && to_real ? half : length[i];
    check.require(x[axis] == wanted,
                  "axis " + std::to_string(axis) + " of extent " + std::to_string(wanted),
                  std::to_string(x[axis]));
    extents[axis] = last && from_real ? half : length[i];
  }
  const DType dtype = check.operand(0).dtype;
  check.require_result({shape_of(extents), from_real ? complex_dtype(dtype)
                                           : to_real ? part_dtype(dtype)
                                                     : dtype});
}

void require_square(const OpCheck& check) {
  const Shape& x = check.shape(0);
  check.require(x.rank() >= 2 && x[x.rank() - 1] == x[x.rank() - 2], "square matrices",
                to_string(check.operand(0)));
}

void check_triangular_solve(const OpCheck& check) {
  require_square(check);
  check.require_enumerator("transpose_a", "transpose", {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"});
  const Shape& a = check.shape(0);
  const Shape& b = check.shape(1);
  const std::size_t rank = a.rank();
  check.require(b.rank() == rank && check.operand(0).dtype == check.operand(1).dtype,
                "a right-hand side of rank " + std::to_string(rank) + " and the matrix's elements",
                to_string(check.operand(1)));
  const std::size_t side = rank - (check.get<bool>("left_side") ? 2 : 1);
  bool fits = b[side] == a[rank - 1];
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    fits = fits && a[axis] == b[axis];
  }
  check.require(fits, "a right-hand side for " + to_string(check.operand(0)),
                to_string(check.operand(1)));
  check.require_result(check.operand(1));
}

}  // namespace

void check_product_rule(const OpCheck& check) {
  check.require_results(1);
  switch (info(check.operation().code).rule) {
    case Rule::DotGeneral:
      check_dot(check);
      return;
    case Rule::Convolution:
      check_convolution(check);
      return;
    case Rule::Fft:
      check_fft(check);
      return;
    case Rule::Cholesky:
      require_square(check);
      check.require_result(check.operand(0));
      return;
    default:
      check_triangular_solve(check);
  }
}

}  // namespace ddx::stablehlo::detail
