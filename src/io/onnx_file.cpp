#include "ddx/io/onnx_file.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/mapped_file.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/onnx_tensor.h"
#include "io/detail/stored_shape.h"
#include "io/detail/wire_reader.h"

#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <utility>

namespace ddx::io {
namespace {

using detail::WireField;
using detail::WireReader;

constexpr auto onnx_operation = "read_onnx";

// The numbers of onnx.proto.
constexpr std::uint64_t graph_of_model = 7;
constexpr std::uint64_t initializer_of_graph = 5;
constexpr std::uint64_t sparse_initializer_of_graph = 15;
constexpr std::uint64_t values_of_sparse = 1;

/// Adds an array under the name that it has.
void add_array(const WireReader& graph, const WireField& field, detail::OnnxTensor tensor,
               const std::string& file, StoredTensors& arrays) {
  if (!tensor.array.obstacle.empty()) {
    tensor.array.obstacle = "array \"" + detail::printable(tensor.name) + "\" of " + file + ": " +
                            tensor.array.obstacle;
  }
  if (!arrays.emplace(tensor.name, std::move(tensor.array)).second) {
    graph.fail(field.offset, "array \"" + detail::printable(tensor.name) + "\" stands twice");
  }
}

/// The array of the values of a sparse one, whose places are not read.
detail::OnnxTensor sparse_tensor(WireReader sparse) {
  detail::OnnxTensor result;
  while (const auto field = sparse.next()) {
    if (field->number == values_of_sparse) {
      result = detail::read_onnx_tensor(sparse.message(*field));
    }
  }
  result.array = {};
  result.array.obstacle = "is sparse, which is not supported";
  return result;
}

void read_graph(WireReader graph, const std::string& file, StoredTensors& arrays) {
  while (const auto field = graph.next()) {
    if (field->number == initializer_of_graph) {
      add_array(graph, *field, detail::read_onnx_tensor(graph.message(*field)), file, arrays);
    } else if (field->number == sparse_initializer_of_graph) {
      add_array(graph, *field, sparse_tensor(graph.message(*field)), file, arrays);
    }
  }
}

}  // namespace

StoredTensors read_onnx(const std::filesystem::path& file) try {
  const MappedFile mapping(file, onnx_operation);
  WireReader model(onnx_operation, file.string(), mapping.bytes());
  StoredTensors arrays;
  bool has_graph = false;
  while (const auto field = model.next()) {
    if (field->number == graph_of_model) {
      read_graph(model.message(*field), file.string(), arrays);
      has_graph = true;
    }
  }
  if (!has_graph) {
    throw EnvironmentError(onnx_operation,
                           file.string() + ": has no graph, so it is no ONNX model");
  }
  return arrays;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(onnx_operation);
}

}  // namespace ddx::io
