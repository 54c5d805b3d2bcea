#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;

constexpr double epsilon = 0.01;

/// Per channel (the last axis), the sum of term(position).
HostArray channel_sums(const HostArray& x, const std::function<double(const Index&)>& term) {
  const std::int64_t channels = x.shape[x.shape.rank() - 1];
  HostArray sums = tabulate({channels}, x.dtype, [](const Index&) { return 0; });
  for (const Index& i : positions(x.shape)) {
    sums.at({i.back()}) += term(i);
  }
  return sums;
}

/// Sums as means; statistics of 16-bit elements are in f32.
HostArray divided(HostArray sums, double by) {
  for (double& value : sums.values) {
    value /= by;
  }
  sums.dtype = wide_dtype(sums.dtype);
  return sums;
}

/// Along one axis: the sum of term(position) over all positions that differ from `i` in the axis
/// alone.
double line_sum(const Index& i, std::size_t axis, std::int64_t extent,
                const std::function<double(const Index&)>& term) {
  double sum = 0;
  for (Index at = i; at[axis] < extent; ++at[axis]) {
    sum += term(at);
  }
  return sum;
}

Index line_start(Index i, std::size_t axis) {
  i[axis] = 0;
  return i;
}

/// Per row (all axes but the last), the mean of term(position).
HostArray row_means(const HostArray& x, const std::function<double(const Index&)>& term) {
  const std::size_t rank = x.shape.rank();
  const std::int64_t features = x.shape[rank - 1];
  HostArray means = tabulate(Shape(x.shape.extents().first(rank - 1)), wide_dtype(x.dtype),
                             [](const Index&) { return 0; });
  for (const Index& i : positions(x.shape)) {
    means.at(Index(i.begin(), i.end() - 1)) += term(i) / static_cast<double>(features);
  }
  return means;
}

/// What an array of its type keeps of the values.
HostArray stored(const HostArray& values) {
  return decode(encode(values).data(), values.shape, values.dtype);
}

std::vector<Case> layer_norm_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const Shape& shape : {Shape{1}, Shape{5}, Shape{0, 4}, Shape{3, 0}, Shape{5, 1}, Shape{8, 7},
                             Shape{6, 17}, Shape{2, 3, 4, 9}, Shape{40, 65}, Shape{3, 1000}}) {
    const Shape features{shape[shape.rank() - 1]};
    const HostArray x = draw(op.domain, shape, dtype, 1);
    const HostArray scale = draw(op.domain, features, dtype, 2);
    const auto attributes = keep(ops::EpsilonAttributes{epsilon});
    const auto row = [](const Index& i) { return Index(i.begin(), i.end() - 1); };
    const bool gradient = op.op == Op::layer_norm_gradient;
    // The gradient kernel is given any statistics.
    const HostArray mean =
        gradient ? stored(row_means(x, [&](const Index& i) { return x.at(i) + 0.25; }))
                 : row_means(x, [&](const Index& i) { return x.at(i); });
    const HostArray squares =
        row_means(x, [&](const Index& i) { return std::pow(x.at(i) - mean.at(row(i)), 2); });
    const HostArray variance = gradient ? stored(squares) : squares;
    const auto normal = [&](const Index& i) {
      return (x.at(i) - mean.at(row(i))) / std::sqrt(variance.at(row(i)) + epsilon);
    };
    if (!gradient) {
      const HostArray offset = draw(op.domain, features, dtype, 3);
      const HostArray y = tabulate(shape, dtype, [&](const Index& i) {
        return normal(i) * scale.at({i.back()}) + offset.at({i.back()});
      });
      cases.push_back({to_string(shape), {x, scale, offset}, {y, mean, variance}, attributes});
      continue;
    }
    const HostArray dy = draw(op.domain, shape, dtype, 6);
    const auto dz = [&](const Index& i) { return dy.at(i) * scale.at({i.back()}); };
    const HostArray through_mean = row_means(x, dz);
    const HostArray through_variance =
        row_means(x, [&](const Index& i) { return dz(i) * normal(i); });
    const HostArray dx = tabulate(shape, dtype, [&](const Index& i) {
      return (dz(i) - through_mean.at(row(i)) - normal(i) * through_variance.at(row(i))) /
             std::sqrt(variance.at(row(i)) + epsilon);
    });
    const HostArray dscale = channel_sums(x, [&](const Index& i) { return dy.at(i) * normal(i); });
    const HostArray doffset = channel_sums(x, [&](const Index& i) { return dy.at(i); });
    cases.push_back(
        {to_string(shape), {x, scale, mean, variance, dy}, {dx, dscale, doffset}, attributes});
  }
  return cases;
}

}  // namespace

std::vector<Case> normalization_cases(const ops::OpInfo& op, DType dtype) {
  if (op.op == Op::layer_norm || op.op == Op::layer_norm_gradient) {
    return layer_norm_cases(op, dtype);
  }
  std::vector<Case> cases;
  for (const Shape& shape :
       {Shape{1, 1}, Shape{5, 1}, Shape{8, 7}, Shape{6, 17}, Shape{2, 3, 4, 9}, Shape{40, 65}}) {
    const double rows =
        static_cast<double>(shape.count()) / static_cast<double>(shape[shape.rank() - 1]);
    const Shape channels{shape[shape.rank() - 1]};
    const HostArray x = draw(op.domain, shape, dtype, 1);
    const HostArray scale = draw(op.domain, channels, dtype, 2);
    const HostArray offset = draw(op.domain, channels, dtype, 3);
    const auto attributes = keep(ops::EpsilonAttributes{epsilon});
    // In training the statistics are those of x; in inference, and for the gradient kernel, any
    // given ones.
    const bool training = op.op == Op::batch_norm_training;
    const HostArray mean =
        training ? divided(channel_sums(x, [&](const Index& i) { return x.at(i); }), rows)
                 : draw(op.domain, channels, wide_dtype(dtype), 4);
    const HostArray variance =
        training ? divided(channel_sums(x,
                                        [&](const Index& i) {
                                          return std::pow(x.at(i) - mean.at({i.back()}), 2);
                                        }),
                           rows)
                 : draw(ops::Domain::Positive, channels, wide_dtype(dtype), 5);
    const auto normal = [&](const Index& i) {
      return (x.at(i) - mean.at({i.back()})) / std::sqrt(variance.at({i.back()}) + epsilon);
    };
    const HostArray y = tabulate(shape, dtype, [&](const Index& i) {
      return normal(i) * scale.at({i.back()}) + offset.at({i.back()});
    });
    if (training) {
      cases.push_back({to_string(shape), {x, scale, offset}, {y, mean, variance}, attributes});
    } else if (op.op == Op::batch_norm_inference) {
      cases.push_back({to_string(shape), {x, scale, offset, mean, variance}, {y}, attributes});
    } else {
      const HostArray dy = draw(op.domain, shape, dtype, 6);
      const HostArray doffset = channel_sums(x, [&](const Index& i) { return dy.at(i); });
      const HostArray dscale =
          channel_sums(x, [&](const Index& i) { return dy.at(i) * normal(i); });
      const HostArray dx = tabulate(shape, dtype, [&](const Index& i) {
        const Index c{i.back()};
        return scale.at(c) / std::sqrt(variance.at(c) + epsilon) *
               (dy.at(i) - (doffset.at(c) + normal(i) * dscale.at(c)) / rows);
      });
      cases.push_back(
          {to_string(shape), {x, scale, mean, variance, dy}, {dx, dscale, doffset}, attributes});
    }
  }
  return cases;
}

std::vector<Case> softmax_cases(const ops::OpInfo& op, DType dtype) {
  const bool logarithm = op.op == Op::log_softmax || op.op == Op::log_softmax_gradient;
  std::vector<Case> cases;
  for (const auto& [shape, axis] : {std::pair{Shape{1}, 0U},
                                    {Shape{7}, 0U},
                                    {Shape{17}, 0U},
                                    {Shape{5, 10}, 1U},
                                    {Shape{5, 10}, 0U},
                                    {Shape{2, 9, 3}, 1U},
                                    {Shape{0, 4}, 1U},
                                    {Shape{3, 1000}, 1U}}) {
    const std::int64_t extent = shape[axis];
    const HostArray x = draw(op.domain, shape, dtype, 1);
    Case one{to_string(shape) + " axis " + std::to_string(axis),
             {x},
             {},
             keep(ops::AxisAttributes{axis})};
    if (op.op == Op::softmax || op.op == Op::log_softmax) {
      one.expected = {tabulate(shape, dtype, [&](const Index& i) {
        const double sum = line_sum(line_start(i, axis), axis, extent,
                                    [&](const Index& at) { return std::exp(x.at(at)); });
        return logarithm ? x.at(i) - std::log(sum) : std::exp(x.at(i)) / sum;
      })};
    } else {
      const HostArray dy = draw(op.domain, shape, dtype, 2);
      one.inputs.push_back(dy);
      one.expected = {tabulate(shape, dtype, [&](const Index& i) {
        const double sum = line_sum(line_start(i, axis), axis, extent, [&](const Index& at) {
          return logarithm ? dy.at(at) : dy.at(at) * x.at(at);
        });
        return logarithm ? dy.at(i) - std::exp(x.at(i)) * sum : x.at(i) * (dy.at(i) - sum);
      })};
    }
    cases.push_back(one);
  }
  return cases;
}

std::vector<Case> cross_entropy_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const Shape& shape :
       {Shape{1, 1}, Shape{4, 10}, Shape{9, 17}, Shape{0, 3}, Shape{130, 10}}) {
    const HostArray x = draw(op.domain, shape, dtype, 1);
    const HostArray labels = tabulate({shape[0]}, DType::i32, [&](const Index& i) {
      return static_cast<double>((7 * i[0] + 3) % shape[1]);
    });
    const auto probability = [&](const Index& i) {
      return std::exp(x.at(i)) / line_sum(line_start(i, 1), 1, shape[1],
                                          [&](const Index& at) { return std::exp(x.at(at)); });
    };
    const auto label_of = [&](std::int64_t row) {
      return static_cast<std::int64_t>(labels.at({row}));
    };
    if (op.op == Op::softmax_cross_entropy) {
      cases.push_back(
          {to_string(shape), {x, labels}, {tabulate({shape[0]}, dtype, [&](const Index& i) {
             return -std::log(probability({i[0], label_of(i[0])}));
           })}});
    } else {
      const HostArray dy = draw(op.domain, {shape[0]}, wide_dtype(dtype), 2);
      cases.push_back(
          {to_string(shape), {x, labels, dy}, {tabulate(shape, dtype, [&](const Index& i) {
             return dy.at({i[0]}) * (probability(i) - (label_of(i[0]) == i[1] ? 1 : 0));
           })}});
    }
  }
  return cases;
}

}  // namespace ddx::testing
