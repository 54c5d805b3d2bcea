#include "tests/support/random_graph.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ir::Graph;
using ir::Type;
using ir::ValueId;
using ops::Op;

class Writer {
 public:
  /// Regions are as deep as `depth` in each other.
  Writer(std::uint64_t seed, Shape::Extent size, std::size_t depth)
      : random_(seed), size_(size), depth_(depth) {}

  Graph graph(std::size_t nodes) {
    for (const DType dtype : {DType::f32, DType::f32, DType::f64, DType::i32, DType::boolean}) {
      for (const Shape& shape : {Shape{}, Shape{3 * size_}, Shape{2 * size_, 3 * size_},
                                 Shape{2 * size_, 1}, Shape{4 * size_, 1, 3 * size_}}) {
        if (below(2) == 0) {
          add(graph_.add_parameter({shape, dtype}));
        }
      }
    }
    add(graph_.add_parameter({{2 * size_, 3 * size_}, DType::f32}));
    add_scalars();
    while (graph_.node_count() < nodes) {
      node();
    }
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < 6; ++i) {
      results.push_back(any());
    }
    results.push_back(values_.back());
    graph_.set_results(results);
    return std::move(graph_);
  }

  /// A region from some types to others. Where `counts`, the first result is the first parameter,
  /// an i32[], and one.
  std::shared_ptr<const Graph> region(const std::vector<Type>& parameters,
                                      const std::vector<Type>& results, bool counts = false) {
    for (const Type& type : parameters) {
      add(graph_.add_parameter(type));
    }
    add_scalars();
    number();
    for (std::size_t i = 0; i < 8; ++i) {
      node();
    }
    std::vector<ValueId> values;
    if (counts) {
      const Type count{{}, DType::i32};
      full(1, count);
      make(Op::add, {graph_.parameters()[0], values_.back()}, ops::NoAttributes{}, count);
      values.push_back(values_.back());
    }
    for (std::size_t i = values.size(); i < results.size(); ++i) {
      values.push_back(of_type(results[i]));
    }
    graph_.set_results(values);
    return std::make_shared<const Graph>(std::move(graph_));
  }

 private:
  void add_scalars() {
    (void)graph_.add_scalar(ir::ScalarKind::Number);
    (void)graph_.add_scalar(ir::ScalarKind::Key);
  }
  void full(double real, const Type& type) {
    make(Op::full, {},
         ops::FullAttributes{{.real = real, .integer = static_cast<std::int64_t>(real)}}, type);
  }
  /// The latest value of a type, or a number in that shape.
  ValueId of_type(const Type& wanted) {
    for (std::size_t i = values_.size(); i-- > 0;) {
      if (type(values_[i]) == wanted) {
        return values_[i];
      }
    }
    full(1, wanted);
    return values_.back();
  }

  std::size_t below(std::size_t n) { return random_() % n; }
  void add(ValueId value) { values_.push_back(value); }
  ValueId any() { return values_[below(values_.size())]; }
  /// Later values are likelier, so that chains grow.
  ValueId recent() {
    return values_[values_.size() - 1 - below(std::min<std::size_t>(values_.size(), 8))];
  }
  const Type& type(ValueId value) const { return graph_.type(value); }
  void make(Op op, std::vector<ValueId> operands, const ops::Attributes& attributes,
            const Type& result, const ir::ScalarFields& scalars = ir::all_baked) {
    add(graph_.add_node(op, operands, attributes, {&result, 1}, scalars));
  }

  void control(ir::ControlFlow flow, const std::vector<Type>& results) {
    flow.scalars = {ir::ScalarId{0}, ir::ScalarId{1}};
    const ValueId first = graph_.add_control(flow, results);
    for (std::size_t i = 0; i < results.size(); ++i) {
      add(static_cast<ValueId>(Graph::index(first) + i));
    }
  }
  Writer inside() { return {random_(), size_, depth_ - 1}; }

  void cond() {
    const std::vector<Type> taken{type(recent()), type(any())};
    const std::vector<Type> made{type(recent()), type(any())};
    const std::vector<ValueId> operands{of_type({{}, DType::boolean}), of_type(taken[0]),
                                        of_type(taken[1])};
    control({.control = ir::Control::Cond,
             .operands = operands,
             .regions = {inside().region(taken, made), inside().region(taken, made)}},
            made);
  }

  void while_loop() {
    const Type count{{}, DType::i32};
    full(0, count);
    const std::vector<ValueId> operands{values_.back(), recent(), any()};
    const std::vector<Type> taken{count, type(operands[1]), type(operands[2])};
    Graph condition;
    for (const Type& each : taken) {
      condition.add_parameter(each);
    }
    condition.add_scalar(ir::ScalarKind::Number);
    condition.add_scalar(ir::ScalarKind::Key);
    const auto most = static_cast<std::int64_t>(below(4));
    const ValueId limit = condition.add_node(
        Op::full, {}, ops::FullAttributes{{.real = static_cast<double>(most), .integer = most}},
        count);
    condition.set_results({condition.add_node(Op::less, {condition.parameters()[0], limit},
                                              ops::NoAttributes{}, {{}, DType::boolean})});
    const std::vector<Type> made{count, taken[1]};
    control({.control = ir::Control::WhileLoop,
             .operands = operands,
             .regions = {std::make_shared<const Graph>(std::move(condition)),
                         inside().region(taken, made, true)}},
            made);
  }

  void scan() {
    const ValueId slices = recent();
    const Shape shape = type(slices).shape;
    const bool sliced = shape.rank() > 0 && shape[0] <= 4;
    const std::vector<ValueId> operands{recent(), sliced ? slices : any(), any()};
    const auto trips = sliced ? shape[0] : static_cast<Shape::Extent>(1 + below(3));
    std::vector<Type> taken{type(operands[0]), type(operands[1]), type(operands[2])};
    if (sliced) {
      taken[1].shape =
          Shape(std::vector<Shape::Extent>(shape.extents().begin() + 1, shape.extents().end()));
    }
    const std::vector<Type> returned{taken[0], type(any())};
    std::vector<Shape::Extent> stack{trips};
    stack.insert(stack.end(), returned[1].shape.extents().begin(),
                 returned[1].shape.extents().end());
    if (stack.size() > 4) {
      return;
    }
    control({.control = ir::Control::Scan,
             .operands = operands,
             .regions = {inside().region(taken, returned)},
             .scan = {.carries = 1,
                      .slices = sliced ? 1U : 0U,
                      .trips = trips,
                      .reverse = below(2) == 0}},
            {returned[0], {Shape(stack), returned[1].dtype}});
  }

  void node() {
    if (depth_ > 0 && below(6) == 0) {
      switch (below(3)) {
        case 0:
          return cond();
        case 1:
          return while_loop();
        default:
          return scan();
      }
    }
    switch (below(14)) {
      case 0:
        return number();
      case 1:
      case 2:
        return unary();
      case 3:
      case 4:
      case 5:
        return pairwise();
      case 6:
        return cast();
      case 7:
        return select();
      case 8:
        return reduce();
      case 9:
        return product();
      case 10:
        return draw();
      default:
        return move();
    }
  }

  void number() {
    const Type& like = type(any());
    const double values[] = {0, 1, -1, 2, 0.5, -0.25, 4};
    const double real = like.dtype == DType::boolean ? static_cast<double>(below(2))
                                                     : values[below(std::size(values))];
    const bool given = below(4) == 0 && like.dtype != DType::boolean;
    make(Op::full, {},
         ops::FullAttributes{{.real = real, .integer = static_cast<std::int64_t>(real)}},
         {below(2) == 0 ? Shape{} : like.shape, like.dtype},
         {given ? ir::ScalarId{0} : ir::baked, ir::baked, ir::baked});
  }

  void unary() {
    const ValueId x = recent();
    const Op all[] = {Op::neg,  Op::abs,         Op::sign,        Op::square, Op::relu,  Op::exp,
                      Op::tanh, Op::logical_not, Op::bitwise_not, Op::floor,  Op::round, Op::neg};
    const Op op = all[below(std::size(all))];
    if (contains(ops::info(op).dtypes, type(x).dtype)) {
      make(op, {x}, ops::NoAttributes{}, type(x));
    }
  }

  void pairwise() {
    const ValueId a = recent();
    const ValueId b = any();
    const Op all[] = {Op::add, Op::sub,  Op::mul,         Op::div, Op::maximum,
                      Op::add, Op::less, Op::logical_and, Op::mul, Op::add_scaled};
    const Op op = all[below(std::size(all))];
    const DType dtype = type(a).dtype;
    const bool integer_division = op == Op::div && info(dtype).kind != DTypeKind::Float;
    if (type(b).dtype != dtype || !contains(ops::info(op).dtypes, dtype) || integer_division ||
        !combine(type(a).shape, type(b).shape)) {
      return;
    }
    const Type result{broadcast(type(a).shape, type(b).shape), ops::result_dtype(op, dtype)};
    if (op == Op::add_scaled) {
      const bool given = below(2) == 0;
      make(op, {a, b}, ops::ScaleAttributes{below(2) == 0 ? 1.0 : 0.5}, result,
           {given ? ir::ScalarId{0} : ir::baked, ir::baked, ir::baked});
    } else {
      make(op, {a, b}, ops::NoAttributes{}, result);
    }
  }

  static bool combine(const Shape& a, const Shape& b) {
    for (std::size_t i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
      const auto m = a[a.rank() - i];
      const auto n = b[b.rank() - i];
      if (m != n && m != 1 && n != 1) {
        return false;
      }
    }
    return true;
  }

  void cast() {
    const ValueId x = recent();
    const DType all[] = {DType::f32, DType::f64, DType::i32, DType::boolean, DType::bf16};
    make(Op::cast, {x}, ops::NoAttributes{}, {type(x).shape, all[below(std::size(all))]});
  }

  void select() {
    const ValueId condition = any();
    const ValueId a = recent();
    const ValueId b = any();
    if (type(condition).dtype == DType::boolean && type(a).dtype == type(b).dtype &&
        combine(type(a).shape, type(b).shape)) {
      const Shape both = broadcast(type(a).shape, type(b).shape);
      if (combine(both, type(condition).shape)) {
        make(Op::select, {condition, a, b}, ops::NoAttributes{},
             {broadcast(both, type(condition).shape), type(a).dtype});
      }
    }
  }

  void reduce() {
    const ValueId x = recent();
    const Op all[] = {Op::sum, Op::max, Op::max, Op::all, Op::mean};
    const Op op = all[below(std::size(all))];
    const Shape& shape = type(x).shape;
    if (!contains(ops::info(op).dtypes, type(x).dtype)) {
      return;
    }
    const ops::ReductionAttributes attributes{
        static_cast<std::uint32_t>(below(std::size_t{1} << shape.rank())), below(2) == 0};
    std::vector<Shape::Extent> extents;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      if (!attributes.reduces(axis)) {
        extents.push_back(shape[axis]);
      } else if (attributes.keep_dims) {
        extents.push_back(1);
      }
    }
    make(op, {x}, attributes, {Shape(extents), type(x).dtype});
  }

  void product() {
    const ValueId a = recent();
    const ValueId b = any();
    if (type(a).dtype != type(b).dtype || info(type(a).dtype).kind != DTypeKind::Float ||
        type(a).shape.rank() != 2 || type(b).shape.rank() != 2) {
      return;
    }
    const ops::MatmulAttributes flags{below(2) == 0, below(2) == 0};
    const Shape& m = type(a).shape;
    const Shape& n = type(b).shape;
    if (m[flags.transpose_left ? 0 : 1] == n[flags.transpose_right ? 1 : 0]) {
      make(Op::matmul, {a, b}, flags,
           {{m[flags.transpose_left ? 1 : 0], n[flags.transpose_right ? 0 : 1]}, type(a).dtype});
    }
  }

  void draw() {
    make(Op::random_uniform, {}, ops::RandomUniformAttributes{RandomKey(below(3)), -1, 1},
         {type(any()).shape, DType::f32},
         {below(2) == 0 ? ir::ScalarId{1} : ir::baked, ir::baked, ir::baked});
  }

  void move() {
    const ValueId x = recent();
    const Shape shape = type(x).shape;
    const DType dtype = type(x).dtype;
    switch (below(6)) {
      case 0: {
        std::vector<Shape::Extent> extents(shape.extents().begin(), shape.extents().end());
        std::ranges::reverse(extents);
        if (below(2) == 0 && extents.size() < 4) {
          extents.insert(extents.begin(), 1);
        }
        return make(Op::reshape, {x}, ops::NoAttributes{}, {Shape(extents), dtype});
      }
      case 1: {
        std::vector<Shape::Extent> extents(shape.extents().begin(), shape.extents().end());
        for (Shape::Extent& extent : extents) {
          extent = extent == 1 ? 1 + static_cast<Shape::Extent>(below(3)) : extent;
        }
        return make(Op::broadcast_to, {x}, ops::NoAttributes{}, {Shape(extents), dtype});
      }
      case 2: {
        ops::PermutationAttributes permutation;
        std::vector<Shape::Extent> extents;
        std::vector<std::size_t> order(shape.rank());
        for (std::size_t i = 0; i < order.size(); ++i) {
          order[i] = i;
        }
        std::ranges::shuffle(order, random_);
        for (std::size_t i = 0; i < order.size(); ++i) {
          permutation.order[i] = order[i];
          extents.push_back(shape[order[i]]);
        }
        return make(Op::transpose, {x}, permutation, {Shape(extents), dtype});
      }
      case 3: {
        ops::SliceAttributes box;
        std::vector<Shape::Extent> extents;
        for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
          box.step[axis] = 1 + static_cast<std::int64_t>(below(2));
          box.start[axis] = static_cast<std::int64_t>(below(static_cast<std::size_t>(shape[axis])));
          const auto left = shape[axis] - box.start[axis];
          extents.push_back(1 + static_cast<std::int64_t>(below(
                                    static_cast<std::size_t>((left - 1) / box.step[axis] + 1))));
        }
        return make(Op::slice, {x}, box, {Shape(extents), dtype});
      }
      case 4:
        return make(
            Op::reverse, {x},
            ops::AxesAttributes{static_cast<std::uint32_t>(below(std::size_t{1} << shape.rank()))},
            {shape, dtype});
      default: {
        if (shape.rank() == 0 || shape[0] > 4 * size_) {
          return;
        }
        std::vector<Shape::Extent> extents(shape.extents().begin(), shape.extents().end());
        extents[0] *= 2;
        return make(Op::concatenate, {x, x}, ops::AxisAttributes{0}, {Shape(extents), dtype});
      }
    }
  }

  std::mt19937_64 random_;
  Shape::Extent size_;
  std::size_t depth_;
  Graph graph_;
  std::vector<ValueId> values_;
};

}  // namespace

Graph random_graph(std::uint64_t seed, std::size_t nodes, Shape::Extent size) {
  return Writer(seed, size, 0).graph(nodes);
}

Graph random_graph_with_regions(std::uint64_t seed, std::size_t nodes, Shape::Extent size) {
  return Writer(seed, size, 2).graph(nodes);
}

Arguments random_arguments(const Graph& graph, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Arguments arguments;
  for (const ValueId parameter : graph.parameters()) {
    const Type& type = graph.type(parameter);
    const auto count = static_cast<std::size_t>(type.shape.count());
    backend::Buffer buffer(count * info(type.dtype).bytes);
    visit(type.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (std::size_t i = 0; i < count; ++i) {
        const double number = static_cast<double>(random() % 65) / 16 - 2;
        if constexpr (ComplexScalar<T>) {
          reinterpret_cast<T*>(buffer.data())[i] = {static_cast<typename T::value_type>(number), 0};
        } else {
          reinterpret_cast<T*>(buffer.data())[i] = static_cast<T>(number);
        }
      }
    });
    arguments.parameters.emplace_back(buffer.data(), type.shape, type.dtype);
    arguments.memory.push_back(std::move(buffer));
  }
  for (const ir::ScalarKind kind : graph.scalars()) {
    if (kind == ir::ScalarKind::Number) {
      arguments.scalars.emplace_back(ops::Literal{.real = 0.75, .integer = 3});
    } else {
      arguments.scalars.emplace_back(RandomKey(seed));
    }
  }
  return arguments;
}

}  // namespace ddx::testing
