#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;

struct Setting {
  Shape shape;
  std::vector<bool> reduced;  // Per axis.
};

const Setting settings[] = {
    {{}, {}},
    {{1}, {true}},
    {{7}, {true}},
    {{8}, {true}},
    {{9}, {true}},
    {{17}, {true}},
    {{17}, {false}},
    {{70001}, {true}},
    {{5, 17}, {true, false}},
    {{5, 17}, {false, true}},
    {{17, 5}, {true, true}},
    {{300, 257}, {true, false}},
    {{300, 257}, {false, true}},
    {{3, 4, 5}, {false, true, false}},
    {{3, 4, 5}, {true, false, true}},
    {{2, 3, 4, 9}, {true, true, true, false}},
    {{2, 3, 4, 9}, {false, true, true, false}},
    {{0, 3}, {false, true}},
    {{0, 3}, {true, false}},
};

/// What the elements are reduced to.
double reduced_by(Op op, const std::vector<double>& group) {
  const double sum = std::accumulate(group.begin(), group.end(), 0.0);
  const double product = std::accumulate(group.begin(), group.end(), 1.0, std::multiplies<>());
  const auto ones = static_cast<std::size_t>(std::count(group.begin(), group.end(), 1.0));
  switch (op) {
    case Op::mean:
      return sum / static_cast<double>(group.size());
    case Op::max:
      return *std::max_element(group.begin(), group.end());
    case Op::min:
      return *std::min_element(group.begin(), group.end());
    case Op::product:
      return product;
    case Op::log_sum_exp:
      return std::log(std::accumulate(group.begin(), group.end(), 0.0,
                                      [](double total, double x) { return total + std::exp(x); }));
    case Op::all:
      return ones == group.size() ? 1 : 0;
    case Op::any:
      return ones > 0 ? 1 : 0;
    default:
      return sum;
  }
}

/// The elements of x that are reduced to each element of a result that keeps its axes.
HostArray reduce(const HostArray& x, const std::vector<bool>& reduced, bool keep_dims, DType dtype,
                 Op op) {
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> kept;
  for (std::size_t axis = 0; axis < reduced.size(); ++axis) {
    kept.push_back(reduced[axis] ? 1 : x.shape[axis]);
    if (keep_dims || !reduced[axis]) {
      extents.push_back(kept.back());
    }
  }
  const Shape with_axes(kept);
  std::vector<std::vector<double>> groups(static_cast<std::size_t>(with_axes.count()));
  for (const Index& i : positions(x.shape)) {
    std::int64_t group = 0;
    for (std::size_t axis = 0; axis < i.size(); ++axis) {
      group = group * kept[axis] + (reduced[axis] ? 0 : i[axis]);
    }
    groups[static_cast<std::size_t>(group)].push_back(x.at(i));
  }
  HostArray result{Shape(extents), dtype, {}};
  for (const auto& group : groups) {
    result.values.push_back(wrapped(reduced_by(op, group), dtype));
  }
  return result;
}

}  // namespace

std::vector<Case> reduction_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const Setting& setting : settings) {
    const bool over_nothing = setting.shape.count() == 0 && setting.reduced[0];
    if (over_nothing && (op.op == Op::max || op.op == Op::min)) {
      continue;  // An error of the front end.
    }
    for (const bool keep_dims : {false, true}) {
      const HostArray x = draw(op.domain, setting.shape, dtype, 1);
      ops::ReductionAttributes attributes{.axes = 0, .keep_dims = keep_dims};
      for (std::size_t axis = 0; axis < setting.reduced.size(); ++axis) {
        attributes.axes |= (setting.reduced[axis] ? 1U : 0U) << axis;
      }
      cases.push_back({to_string(setting.shape) + " axes " + std::to_string(attributes.axes) +
                           (keep_dims ? " kept" : ""),
                       {x},
                       {reduce(x, setting.reduced, keep_dims, dtype, op.op)},
                       keep(attributes)});
    }
  }
  return cases;
}

std::vector<Case> arg_reduction_cases(const ops::OpInfo& op, DType dtype) {
  const double sign = op.op == Op::argmax ? 1 : -1;
  std::vector<Case> cases;
  for (const auto& [shape, axis] : {std::pair{Shape{1}, 0U},
                                    {Shape{7}, 0U},
                                    {Shape{17}, 0U},
                                    {Shape{5, 17}, 0U},
                                    {Shape{17, 5}, 1U},
                                    {Shape{3, 10, 4}, 1U},
                                    {Shape{0, 3}, 1U}}) {
    // Few different values, so that there are ties.
    const HostArray x = draw(ops::Domain::SmallIntegers, shape, dtype, 1);
    std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
    extents.erase(extents.begin() + axis);
    cases.push_back({to_string(shape) + " axis " + std::to_string(axis),
                     {x},
                     {tabulate(Shape(extents), DType::i32,
                               [&, extent = shape[axis]](const Index& i) {
                                 Index from = i;
                                 from.insert(from.begin() + axis, 0);
                                 Index best = from;
                                 for (; from[axis] < extent; ++from[axis]) {
                                   best = sign * x.at(from) > sign * x.at(best) ? from : best;
                                 }
                                 return static_cast<double>(best[axis]);
                               })},
                     keep(ops::AxisAttributes{axis})});
  }
  return cases;
}

std::vector<Case> sorting_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const bool descending : {false, true}) {
    for (const Shape& shape : {Shape{1}, Shape{7}, Shape{65}, Shape{5, 17}, Shape{2, 3, 4},
                               Shape{0}, Shape{3, 0}, Shape{0, 3}}) {
      // Few different values, so that there are ties, and NaNs.
      HostArray x = draw(op.domain, shape, dtype, 1);
      if (info(dtype).kind == DTypeKind::Float) {
        for (std::size_t i = 2; i < x.values.size(); i += 7) {
          x.values[i] = std::numeric_limits<double>::quiet_NaN();
        }
      }
      // How many of its line come before an element is its place: insertion by counting.
      const auto precedes = [&](const Index& a, const Index& b, std::size_t axis) {
        const double u = std::isnan(x.at(a)) ? 1e300 : x.at(a);
        const double v = std::isnan(x.at(b)) ? 1e300 : x.at(b);
        return u != v ? (descending ? u > v : u < v) : a[axis] < b[axis];
      };
      HostArray expected = tabulate(shape, DType::i32, [](const Index&) { return -1; });
      for (const Index& i : positions(shape)) {
        const std::size_t last = i.size() - 1;
        Index other = i;
        Index place = i;
        place[last] = 0;
        for (other[last] = 0; other[last] < shape[last]; ++other[last]) {
          place[last] += precedes(other, i, last) ? 1 : 0;
        }
        expected.at(place) = static_cast<double>(i[last]);
      }
      cases.push_back({to_string(shape) + (descending ? " descending" : " ascending"),
                       {x},
                       {expected},
                       keep(ops::SortAttributes{descending})});
    }
  }
  return cases;
}

}  // namespace ddx::testing
