// Every operation as a graph of one node: its types, its text, what it computes, and that other
// shapes are refused.

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ir/verifier.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "tests/conformance/case_graph.h"
#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

using ir::Graph;

std::vector<std::byte> direct_result(const ops::OpInfo& op, const Case& one, DType key,
                                     const std::vector<ops::View>& inputs) {
  std::vector<backend::Buffer> memory;
  std::vector<ops::View> outputs;
  for (const HostArray& expected : one.expected) {
    memory.emplace_back(encode(expected).size());
    outputs.emplace_back(memory.back().data(), expected.shape, expected.dtype);
  }
  backend::backend_of(Device::naive())
      .kernels()
      .at(op.op, key)
      .kernel()(ops::Call(inputs, outputs, one.attributes.get()));
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    bytes.insert(bytes.end(), memory[i].data(), memory[i].data() + encode(one.expected[i]).size());
  }
  return bytes;
}

void expect_same_as_kernel(const ops::OpInfo& op, const Case& one, DType key, const Graph& graph) {
  std::vector<backend::Buffer> memory;
  std::vector<ops::View> inputs;
  for (const HostArray& input : one.inputs) {
    const auto bytes = encode(input);
    memory.emplace_back(bytes.size());
    if (!bytes.empty()) {
      std::memcpy(memory.back().data(), bytes.data(), bytes.size());
    }
    inputs.emplace_back(memory.back().data(), input.shape, input.dtype);
  }
  const std::vector<std::byte> expected = direct_result(op, one, key, inputs);
  const auto results = backend::evaluate(graph, inputs, {}, backend::backend_of(Device::naive()));
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::size_t size = encode(one.expected[i]).size();
    bytes.insert(bytes.end(), results[i].data(), results[i].data() + size);
  }
  ASSERT_EQ(bytes.size(), expected.size());
  EXPECT_TRUE(bytes == expected) << "the graph computes something else than the kernel";
}

/// Operations whose result may have any shape, as far as operands and attributes tell.
bool has_free_shape(ops::Op op) {
  return ops::info(op).family == ops::Family::Random || op == ops::Op::full ||
         op == ops::Op::broadcast_to;
}

/// The graph of a case with a result of one more axis.
Graph graph_of_another_rank(const ops::OpInfo& op, const Case& one) {
  const Shape& shape = one.expected[0].shape;
  std::vector<Shape::Extent> extents(shape.extents().begin(), shape.extents().end());
  extents.insert(extents.begin(), 2);
  const Shape other{std::span<const Shape::Extent>(extents)};
  return graph_of(op, one, &other);
}

class Graphs : public ::testing::TestWithParam<ops::OpInfo> {};

// Both in one test: what takes the time are the expected values of the cases.
TEST_P(Graphs, OfOneNodeAreVerifiedPrintedReadAndRunAndRefusedWithAResultOfAnotherRank) {
  const ops::OpInfo& op = GetParam();
  for (const DTypeInfo& dtype : dtype_table) {
    if (!contains(op.dtypes, dtype.dtype)) {
      continue;
    }
    for (const Case& one : cases_of(op, dtype.dtype)) {
      SCOPED_TRACE(std::string(dtype.text) + ", " + one.layout);
      const Graph graph = graph_of(op, one);
      ASSERT_NO_THROW(ir::verify(graph));
      const std::string text = to_text(graph);
      const Graph again = ir::parse_graph(text);
      ASSERT_EQ(to_text(again), text);
      ASSERT_TRUE(ops::identical(again.node(0).attributes, graph.node(0).attributes)) << text;
      expect_same_as_kernel(op, one, dtype.dtype, again);
      // Nothing in another shape is nothing.
      const bool is_empty_reshape = op.op == ops::Op::reshape && one.expected[0].shape.count() == 0;
      if (!has_free_shape(op.op) && !is_empty_reshape) {
        EXPECT_THROW(ir::verify(graph_of_another_rank(op, one)), InternalError);
      }
      if (HasFailure()) {
        return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Graphs, ::testing::ValuesIn(ops::op_table),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ddx::testing
