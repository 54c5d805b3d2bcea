#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;

std::vector<Case> reshape_cases(DType dtype) {
  std::vector<Case> cases;
  for (const auto& [from, to] :
       {std::pair{Shape{}, Shape{1, 1}}, {Shape{0}, Shape{2, 0}}, {Shape{6, 17}, Shape{17, 6}}}) {
    const HostArray x = draw(ops::Domain::Any, from, dtype, 1);
    cases.push_back({to_string(from) + " to " + to_string(to), {x}, {{to, dtype, x.values}}});
  }
  return cases;
}

std::vector<Case> broadcast_cases(DType dtype) {
  std::vector<Case> cases;
  for (const auto& [from, to] : {std::pair{Shape{}, Shape{17}},
                                 {Shape{1}, Shape{0}},
                                 {Shape{9}, Shape{5, 9}},
                                 {Shape{5, 1}, Shape{5, 9}},
                                 {Shape{3, 1, 2}, Shape{2, 3, 4, 2}}}) {
    const HostArray x = draw(ops::Domain::Any, from, dtype, 1);
    cases.push_back({to_string(from) + " to " + to_string(to),
                     {x},
                     {tabulate(to, dtype, [&](const Index& i) { return x.broadcast_at(i); })}});
  }
  return cases;
}

std::vector<Case> transpose_cases(DType dtype) {
  std::vector<Case> cases;
  for (const auto& [shape, order] : {std::pair{Shape{}, std::vector<std::size_t>{}},
                                     {Shape{17}, {0}},
                                     {Shape{0, 3}, {1, 0}},
                                     {Shape{16, 9}, {1, 0}},
                                     {Shape{65, 33}, {1, 0}},
                                     {Shape{2, 3, 4}, {2, 0, 1}},
                                     {Shape{2, 3, 4}, {0, 2, 1}},
                                     {Shape{2, 3, 4, 5}, {0, 3, 1, 2}}}) {
    const HostArray x = draw(ops::Domain::Any, shape, dtype, 1);
    ops::PermutationAttributes attributes;
    std::vector<std::int64_t> extents;
    for (std::size_t axis = 0; axis < order.size(); ++axis) {
      attributes.order[axis] = order[axis];
      extents.push_back(shape[order[axis]]);
    }
    cases.push_back({to_string(shape),
                     {x},
                     {tabulate(Shape(extents), dtype,
                               [&](const Index& i) {
                                 Index from(i.size());
                                 for (std::size_t axis = 0; axis < i.size(); ++axis) {
                                   from[order[axis]] = i[axis];
                                 }
                                 return x.at(from);
                               })},
                     keep(attributes)});
  }
  return cases;
}

std::vector<Case> slice_cases(DType dtype) {
  struct Box {
    Shape from;
    std::vector<std::int64_t> start, step;
    Shape to;
  };
  std::vector<Case> cases;
  for (const Box& box :
       {Box{{}, {}, {}, {}}, Box{{17}, {3}, {1}, {9}}, Box{{17}, {1}, {4}, {4}},
        Box{{4}, {4}, {1}, {0}}, Box{{5, 9}, {1, 2}, {1, 1}, {3, 7}},
        Box{{5, 9}, {0, 1}, {2, 3}, {3, 3}}, Box{{3, 4, 5}, {2, 0, 4}, {1, 3, 1}, {1, 2, 1}}}) {
    const HostArray x = draw(ops::Domain::Any, box.from, dtype, 1);
    ops::SliceAttributes attributes;
    std::copy(box.start.begin(), box.start.end(), attributes.start.begin());
    std::copy(box.step.begin(), box.step.end(), attributes.step.begin());
    cases.push_back({to_string(box.from) + " to " + to_string(box.to),
                     {x},
                     {tabulate(box.to, dtype,
                               [&](const Index& i) {
                                 Index from = i;
                                 for (std::size_t axis = 0; axis < i.size(); ++axis) {
                                   from[axis] = box.start[axis] + i[axis] * box.step[axis];
                                 }
                                 return x.at(from);
                               })},
                     keep(attributes)});
  }
  return cases;
}

std::vector<Case> reverse_cases(DType dtype) {
  std::vector<Case> cases;
  for (const auto& [shape, axes] : {std::pair{Shape{}, 0U},
                                    {Shape{17}, 1U},
                                    {Shape{0, 3}, 1U},
                                    {Shape{5, 9}, 0U},
                                    {Shape{5, 9}, 2U},
                                    {Shape{5, 9}, 3U},
                                    {Shape{2, 3, 4}, 5U}}) {
    const HostArray x = draw(ops::Domain::Any, shape, dtype, 1);
    cases.push_back({to_string(shape) + " axes " + std::to_string(axes),
                     {x},
                     {tabulate(shape, dtype,
                               [&, chosen = axes](const Index& i) {
                                 Index from = i;
                                 for (std::size_t axis = 0; axis < i.size(); ++axis) {
                                   if ((chosen >> axis) % 2 == 1) {
                                     from[axis] = x.shape[axis] - 1 - i[axis];
                                   }
                                 }
                                 return x.at(from);
                               })},
                     keep(ops::AxesAttributes{axes})});
  }
  return cases;
}

std::vector<Case> pad_cases(DType dtype) {
  struct Border {
    Shape from;
    std::vector<std::int64_t> low, step;
    Shape to;
  };
  std::vector<Case> cases;
  // A negative `low`, or too small a result, drops elements; a step leaves gaps.
  for (const Border& border :
       {Border{{}, {}, {}, {}}, Border{{7}, {1}, {1}, {9}}, Border{{7}, {2}, {3}, {23}},
        Border{{0}, {2}, {1}, {3}}, Border{{5, 9}, {1, 0}, {1, 1}, {6, 11}},
        Border{{3, 3}, {0, 1}, {2, 3}, {5, 9}}, Border{{7}, {-2}, {1}, {4}},
        Border{{7}, {-3}, {2}, {6}}, Border{{4}, {9}, {1}, {5}}}) {
    const HostArray x = draw(ops::Domain::Any, border.from, dtype, 1);
    ops::PadAttributes attributes;
    attributes.value = {.real = 1, .integer = 1};
    std::copy(border.low.begin(), border.low.end(), attributes.low.begin());
    std::copy(border.step.begin(), border.step.end(), attributes.step.begin());
    cases.push_back({to_string(border.from) + " to " + to_string(border.to),
                     {x},
                     {tabulate(border.to, dtype,
                               [&](const Index& i) {
                                 Index from = i;
                                 for (std::size_t axis = 0; axis < i.size(); ++axis) {
                                   const std::int64_t distance = i[axis] - border.low[axis];
                                   from[axis] = distance / border.step[axis];
                                   if (distance < 0 || distance % border.step[axis] != 0 ||
                                       from[axis] >= border.from[axis]) {
                                     return 1.0;
                                   }
                                 }
                                 return x.at(from);
                               })},
                     keep(attributes)});
  }
  return cases;
}

}  // namespace

std::vector<Case> movement_cases(const ops::OpInfo& op, DType dtype) {
  if (op.op == Op::reshape) {
    return reshape_cases(dtype);
  }
  if (op.op == Op::broadcast_to) {
    return broadcast_cases(dtype);
  }
  if (op.op == Op::transpose) {
    return transpose_cases(dtype);
  }
  if (op.op == Op::slice) {
    return slice_cases(dtype);
  }
  if (op.op == Op::reverse) {
    return reverse_cases(dtype);
  }
  return op.op == Op::pad ? pad_cases(dtype) : std::vector<Case>{};
}

namespace {

std::vector<Case> update_at_cases(const ops::OpInfo& op, DType dtype) {
  struct Part {
    Shape whole;
    std::size_t axis;
    std::int64_t place, count;
  };
  std::vector<Case> cases;
  for (const Part& part : {Part{{17}, 0, 3, 9}, Part{{17}, 0, 0, 17}, Part{{4}, 0, 4, 0},
                           Part{{0, 3}, 1, 1, 2}, Part{{5, 9}, 0, 2, 1}, Part{{5, 9}, 1, 4, 5},
                           Part{{3, 4, 5}, 1, 3, 1}, Part{{2, 3, 7, 4}, 2, 5, 2}}) {
    std::vector<std::int64_t> extents(part.whole.extents().begin(), part.whole.extents().end());
    extents[part.axis] = part.count;
    const Shape shape(extents);
    const HostArray x = draw(op.domain, part.whole, dtype, 1);
    const HostArray update = draw(op.domain, shape, dtype, 2);
    HostArray expected = x;
    for (const Index& i : positions(shape)) {
      Index to = i;
      to[part.axis] += part.place;
      expected.at(to) = update.at(i);
    }
    cases.push_back(
        {to_string(shape) + " at " + std::to_string(part.place) + " in " + to_string(part.whole),
         {x, update, {{}, DType::i32, {static_cast<double>(part.place)}}},
         {expected},
         keep(ops::AxisAttributes{part.axis}),
         true});
  }
  return cases;
}

}  // namespace

std::vector<Case> update_cases(const ops::OpInfo& op, DType dtype) {
  if (op.op == Op::update_at) {
    return update_at_cases(op, dtype);
  }
  struct Box {
    Shape whole;
    std::vector<std::int64_t> start, step;
    Shape part;
  };
  std::vector<Case> cases;
  for (const Box& box : {Box{{}, {}, {}, {}}, Box{{17}, {3}, {1}, {9}}, Box{{17}, {1}, {4}, {4}},
                         Box{{4}, {4}, {1}, {0}}, Box{{0, 3}, {0, 1}, {1, 1}, {0, 2}},
                         Box{{5, 9}, {1, 2}, {1, 1}, {3, 7}}, Box{{5, 9}, {0, 1}, {2, 3}, {3, 3}},
                         Box{{3, 4, 5}, {2, 0, 4}, {1, 3, 1}, {1, 2, 1}}}) {
    const HostArray x = draw(op.domain, box.whole, dtype, 1);
    const HostArray update = draw(op.domain, box.part, dtype, 2);
    ops::SliceAttributes attributes;
    std::copy(box.start.begin(), box.start.end(), attributes.start.begin());
    std::copy(box.step.begin(), box.step.end(), attributes.step.begin());
    HostArray expected = x;
    for (const Index& i : positions(box.part)) {
      Index to = i;
      for (std::size_t axis = 0; axis < i.size(); ++axis) {
        to[axis] = box.start[axis] + i[axis] * box.step[axis];
      }
      expected.at(to) = update.at(i);
    }
    cases.push_back({to_string(box.part) + " in " + to_string(box.whole),
                     {x, update},
                     {expected},
                     keep(attributes),
                     true});
  }
  return cases;
}

std::vector<Case> concatenation_cases(const ops::OpInfo& op, DType dtype) {
  struct Join {
    std::vector<Shape> parts;
    std::size_t axis;
    Shape to;
  };
  std::vector<Case> cases;
  for (const Join& join :
       {Join{{{17}}, 0, {17}}, Join{{{3}, {0}, {9}}, 0, {12}}, Join{{{2, 3}, {5, 3}}, 0, {7, 3}},
        Join{{{2, 3}, {2, 8}, {2, 1}}, 1, {2, 12}}, Join{{{2, 3, 4}, {2, 1, 4}}, 1, {2, 4, 4}}}) {
    Case one{to_string(join.to), {}, {}, keep(ops::AxisAttributes{join.axis})};
    for (std::size_t part = 0; part < join.parts.size(); ++part) {
      one.inputs.push_back(draw(op.domain, join.parts[part], dtype, part));
    }
    one.expected = {tabulate(join.to, dtype, [&](const Index& i) {
      Index from = i;
      std::size_t part = 0;
      while (from[join.axis] >= join.parts[part][join.axis]) {
        from[join.axis] -= join.parts[part++][join.axis];
      }
      return one.inputs[part].at(from);
    })};
    cases.push_back(one);
  }
  return cases;
}

namespace {

std::vector<Case> along_axis_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const std::size_t axis : {0U, 1U, 2U}) {
    std::vector<std::int64_t> extents{2, 3, 4};
    extents[axis] = 5;
    const Shape whole(extents);
    extents[axis] = 7;
    const Shape part(extents);
    // Places 0 ... 4, some more than once, others never.
    std::int64_t next = 0;
    const HostArray indices = tabulate(part, DType::i32, [&](const Index&) {
      next += 3;
      return static_cast<double>(next % 7 % 5);
    });
    const auto source_of = [&](const Index& i) {
      Index from = i;
      from[axis] = static_cast<std::int64_t>(indices.at(i));
      return from;
    };
    Case one{"axis " + std::to_string(axis), {}, {}, keep(ops::AxisAttributes{axis})};
    if (op.op == Op::take_along_axis) {
      const HostArray x = draw(op.domain, whole, dtype, 1);
      one.inputs = {x, indices};
      one.expected = {tabulate(part, dtype, [&](const Index& i) { return x.at(source_of(i)); })};
    } else {
      const HostArray dy = draw(op.domain, part, dtype, 1);
      one.inputs = {dy, indices};
      HostArray expected = tabulate(whole, dtype, [](const Index&) { return 0; });
      for (const Index& i : positions(part)) {
        expected.at(source_of(i)) += dy.at(i);
      }
      one.expected = {expected};
    }
    cases.push_back(one);
  }
  return cases;
}

}  // namespace

std::vector<Case> indexing_cases(const ops::OpInfo& op, DType dtype) {
  if (op.op == Op::take_along_axis || op.op == Op::take_along_axis_gradient) {
    return along_axis_cases(op, dtype);
  }
  std::vector<Case> cases;
  const HostArray indices{{2, 3}, DType::i32, {0, 4, 2, 2, 1, 4}};
  if (op.op == Op::one_hot) {
    for (const std::int64_t depth : {0, 1, 4, 17}) {
      cases.push_back({"depth " + std::to_string(depth),
                       {indices},
                       {tabulate({2, 3, depth}, dtype, [&](const Index& i) {
                         return indices.at({i[0], i[1]}) == static_cast<double>(i[2]) ? 1 : 0;
                       })}});
    }
    return cases;
  }
  for (const std::size_t axis : {0U, 1U, 2U}) {
    // The axis of extent 5 among axes of extents 3 and 9; in the gathered array two axes stand in
    // its place.
    std::vector<std::int64_t> whole_extents{3, 9};
    whole_extents.insert(whole_extents.begin() + static_cast<std::ptrdiff_t>(axis), 5);
    std::vector<std::int64_t> part_extents{3, 9};
    part_extents.insert(part_extents.begin() + static_cast<std::ptrdiff_t>(axis), {2, 3});
    const Shape whole(whole_extents);
    const Shape part(part_extents);
    const auto source_of = [&](const Index& i) {
      Index from = i;
      from[axis] = static_cast<std::int64_t>(indices.at({i[axis], i[axis + 1]}));
      from.erase(from.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
      return from;
    };
    Case one{"axis " + std::to_string(axis), {}, {}, keep(ops::AxisAttributes{axis})};
    if (op.op == Op::gather) {
      const HostArray x = draw(op.domain, whole, dtype, 1);
      one.inputs = {x, indices};
      one.expected = {tabulate(part, dtype, [&](const Index& i) { return x.at(source_of(i)); })};
    } else {
      const HostArray dy = draw(op.domain, part, dtype, 1);
      one.inputs = {dy, indices};
      one.expected = {tabulate(whole, dtype, [&](const Index& target) {
        double sum = 0;
        for (const Index& i : positions(part)) {
          sum += source_of(i) == target ? dy.at(i) : 0;
        }
        return sum;
      })};
    }
    cases.push_back(one);
  }
  return cases;
}

}  // namespace ddx::testing
