#include "ddx/ir/verifier.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/matmul.h"
#include "ddx/ops/op.h"
#include "ddx/ops/quantized.h"
#include "ddx/ops/site.h"
#include "ddx/ops/softmax.h"

#include "ir/detail/control_check.h"
#include "ir/detail/type_check.h"

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace ddx::ir {
namespace detail {

void TypeCheck::fail(const std::string& facts) const {
  std::string text = facts + "; operands";
  for (const Type& operand : operands) {
    text += " " + to_string(operand);
  }
  text += ", results";
  for (const Type& result : results) {
    text += " " + to_string(result);
  }
  site.fail(text);
}

void TypeCheck::require_operand(std::size_t operand, const Type& type) const {
  if (operands[operand] != type) {
    fail("operand " + std::to_string(operand) + " must be " + to_string(type));
  }
}

void TypeCheck::require_result(std::size_t result, const Type& type) const {
  if (results[result] != type) {
    fail("result " + std::to_string(result) + " must be " + to_string(type));
  }
}

void TypeCheck::require_shape(const Shape& shape) const {
  require_result(0, {shape, results[0].dtype});
}

void TypeCheck::require_one_dtype(std::size_t first) const {
  for (std::size_t i = first; i < operands.size(); ++i) {
    require_operand(i, {shape(i), operands[0].dtype});
  }
}

namespace {

void check_row(const TypeCheck& check) {
  const ops::OpInfo& row = ops::info(check.op);
  const auto inputs = static_cast<std::size_t>(row.inputs);
  check.require(
      row.inputs == ops::variadic ? !check.operands.empty() : check.operands.size() == inputs,
      "it has another number of operands");
  check.require(check.results.size() == static_cast<std::size_t>(row.outputs),
                "it has another number of results");
  check.require(ops::default_attributes(check.op).index() == check.attributes.index(),
                "its attributes are those of another operation");
  const ops::KeyPlace place = ops::key_place(check.op);
  const DType key = (place.among_results ? check.results : check.operands)[place.index].dtype;
  check.require(ops::contains(row.dtypes, key), "it is not defined for this dtype");
  if (row.family != ops::Family::Cast) {
    check.require_result(0, {check.results[0].shape, ops::result_dtype(check.op, key)});
  }
}

void check_select(const TypeCheck& check) {
  check.require_operand(0, {check.shape(0), DType::boolean});
  check.require_operand(2, {check.shape(2), check.operands[1].dtype});
  check.require_shape(broadcast(broadcast(check.shape(0), check.shape(1)), check.shape(2)));
}

void check_reduction(const TypeCheck& check) {
  const auto& attributes = check.as<ops::ReductionAttributes>();
  const Shape& x = check.shape(0);
  check.require(attributes.axes >> x.rank() == 0, "an axis to reduce does not exist");
  std::vector<Shape::Extent> extents;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (!attributes.reduces(axis)) {
      extents.push_back(x[axis]);
    } else if (attributes.keep_dims) {
      extents.push_back(1);
    }
  }
  check.require_shape(Shape(extents));
}

void check_axis(const TypeCheck& check, std::size_t axis) {
  check.require(axis < check.shape(0).rank(), "the axis does not exist");
}

void check_arg_reduction(const TypeCheck& check) {
  const std::size_t axis = check.as<ops::AxisAttributes>().axis;
  check_axis(check, axis);
  const auto all = check.shape(0).extents();
  check.require(all[axis] > 0, "the axis is empty");
  std::vector<Shape::Extent> extents(all.begin(), all.end());
  extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
  check.require_shape(Shape(extents));
}

void check_cumulative(const TypeCheck& check) {
  check_axis(check, check.as<ops::CumulativeAttributes>().axis);
  for (std::size_t i = 1; i < check.operands.size(); ++i) {
    check.require_operand(i, check.operands[0]);
  }
  check.require_shape(check.shape(0));
}

void check_fourier(const TypeCheck& check) {
  const std::size_t axis = check.as<ops::FourierAttributes>().axis;
  check_axis(check, axis);
  const Shape& x = check.shape(0);
  const Shape& y = check.results[0].shape;
  check.require(x.rank() == y.rank(), "the ranks differ");
  for (std::size_t i = 0; i < x.rank(); ++i) {
    const bool halved = i == axis && check.op == ops::Op::rfft;
    const bool doubled = i == axis && check.op == ops::Op::irfft;
    check.require(halved    ? y[i] == x[i] / 2 + 1
                  : doubled ? x[i] == y[i] / 2 + 1
                            : x[i] == y[i],
                  "the extents do not fit along and beside the axis");
  }
}

void check_resampling(const TypeCheck& check) {
  const std::size_t axis = check.as<ops::AxisAttributes>().axis;
  check_axis(check, axis);
  check.require(check.shape(1).rank() == 1 && check.shape(2).rank() == 2 &&
                    check.shape(1)[0] == check.shape(2)[0],
                "first [m] and weights [m, k] do not fit");
  check.require_operand(1, {check.shape(1), DType::i32});
  check.require_operand(2, {check.shape(2), check.operands[0].dtype});
  // Along the axis, one side has m elements, and the other at least as many as a sum has.
  const bool gradient = check.op == ops::Op::resample_gradient;
  const Shape& many = gradient ? check.results[0].shape : check.shape(0);
  const Shape& sums = gradient ? check.shape(0) : check.results[0].shape;
  bool fits = many.rank() == sums.rank();
  for (std::size_t i = 0; fits && i < many.rank(); ++i) {
    fits = i == axis ? sums[i] == check.shape(1)[0] && many[i] >= check.shape(2)[1]
                     : sums[i] == many[i];
  }
  check.require(fits, "the shapes do not fit along and beside the axis");
}

void check_softmax(const TypeCheck& check) {
  check_axis(check, check.as<ops::AxisAttributes>().axis);
  for (std::size_t i = 1; i < check.operands.size(); ++i) {
    check.require_operand(i, check.operands[0]);
  }
  check.require_shape(check.shape(0));
}

void check_cross_entropy(const TypeCheck& check) {
  const Shape losses = ops::cross_entropy_shape(check.site, check.shape(0), check.shape(1));
  check.require_operand(1, {check.shape(1), DType::i32});
  if (check.op == ops::Op::softmax_cross_entropy) {
    check.require_shape(losses);
  } else {
    check.require_operand(2, {losses, wide_dtype(check.operands[0].dtype)});
    check.require_shape(check.shape(0));
  }
}

void check_family(const TypeCheck& check) {
  switch (ops::info(check.op).family) {
    case ops::Family::Creation:
      check.require(check.op != ops::Op::iota || check.results[0].shape.rank() == 1,
                    "a sequence has one axis");
      return;
    case ops::Family::Random:
      return;
    case ops::Family::Cast:
    case ops::Family::Unary:
    case ops::Family::Predicate:
      check.require_shape(check.shape(0));
      return;
    case ops::Family::Binary:
    case ops::Family::ScaledSum:
    case ops::Family::Comparison:
      check.require_one_dtype();
      check.require_shape(broadcast(check.shape(0), check.shape(1), check.site.operation));
      return;
    case ops::Family::Select:
      check_select(check);
      return;
    case ops::Family::Movement:
      check_movement(check);
      return;
    case ops::Family::Update:
      check_update(check);
      return;
    case ops::Family::Concatenation:
      check_concatenation(check);
      return;
    case ops::Family::Indexing:
      check_indexing(check);
      return;
    case ops::Family::Reduction:
      check_reduction(check);
      return;
    case ops::Family::ArgReduction:
      check_arg_reduction(check);
      return;
    case ops::Family::Sorting:
      check.require(check.shape(0).rank() > 0, "there is no axis to sort");
      check.require_shape(check.shape(0));
      return;
    case ops::Family::Cumulative:
      check_cumulative(check);
      return;
    case ops::Family::Fourier:
      check_fourier(check);
      return;
    case ops::Family::Matmul:
      check.require_one_dtype();
      check.require_shape(ops::matmul_shape(check.site, check.shape(0), check.shape(1),
                                            check.as<ops::MatmulAttributes>()));
      return;
    case ops::Family::QuantizedProduct:
      check.require_operand(1, {check.shape(1), DType::u8});
      check.require_operand(2, {check.shape(2), DType::f16});
      check.require_shape(ops::quantized_matmul_shape(check.site, check.shape(0), check.shape(1),
                                                      check.shape(2),
                                                      check.as<ops::QuantizedAttributes>()));
      return;
    case ops::Family::Convolution:
      check_convolution(check);
      return;
    case ops::Family::Resampling:
      check_resampling(check);
      return;
    case ops::Family::Pooling:
      check_pooling(check);
      return;
    case ops::Family::Morphology:
      check_morphology(check);
      return;
    case ops::Family::Normalization:
      check_normalization(check);
      return;
    case ops::Family::Softmax:
      check_softmax(check);
      return;
    case ops::Family::CrossEntropy:
      check_cross_entropy(check);
      return;
    case ops::Family::LinearAlgebra:
      check_linear_algebra(check);
      return;
    case ops::Family::Attention:
      check_attention(check);
      return;
  }
  __builtin_unreachable();
}

/// Fails if a run-time field gets a scalar of another kind.
void check_scalars(const Graph& graph, const Node& node, const ops::Site& site) {
  std::size_t next = 0;
  std::visit(
      [&](const auto& attributes) {
        ops::visit_fields(
            attributes, [&](const char* name, const auto& field, ops::FieldRole role) {
              if (role == ops::FieldRole::Static) {
                return;
              }
              const ScalarId scalar = node.scalars[next++];
              constexpr bool key = std::is_same_v<std::remove_cvref_t<decltype(field)>, RandomKey>;
              if (scalar != baked && graph.scalars()[Graph::index(scalar)] !=
                                         (key ? ScalarKind::Key : ScalarKind::Number)) {
                site.fail(std::string(name) + " is given scalar #" +
                          std::to_string(Graph::index(scalar)) + ", which is no " +
                          (key ? "key" : "number"));
              }
            });
      },
      node.attributes);
  for (; next < node.scalars.size(); ++next) {
    if (node.scalars[next] != baked) {
      site.fail("it has more scalars than run-time fields");
    }
  }
}

}  // namespace
}  // namespace detail

void check_types(const ops::Site& site, ops::Op op, std::span<const Type> operands,
                 const ops::Attributes& attributes, std::span<const Type> results) {
  const detail::TypeCheck check{site, op, operands, attributes, results};
  detail::check_row(check);
  detail::check_family(check);
}

void verify(const Graph& graph) {
  std::vector<Type> operands;
  std::vector<Type> results;
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    operands.clear();
    results.clear();
    for (const ValueId operand : node.operands) {
      operands.push_back(graph.type(operand));
    }
    for (std::size_t result = 0; result < node.result_count; ++result) {
      results.push_back(graph.type(node.result(result)));
    }
    const ops::Site site{to_string(node.op).data(), node.where};
    for (const RegionId region : node.regions) {
      verify(graph.region(region));
    }
    try {
      if (node.op.is_control()) {
        detail::check_control({site, graph, node, operands, results});
        continue;
      }
      check_types(site, node.op.row(), operands, node.attributes, results);
      detail::check_scalars(graph, node, site);
    } catch (const UsageError& error) {
      throw InternalError("verify", "'" + to_text(graph, i) + "': " + error.what());
    }
  }
}

}  // namespace ddx::ir
