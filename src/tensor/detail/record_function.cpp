#include "ddx/tensor/detail/record_function.h"

#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/ir/graph.h"
#include "ddx/tensor/detail/array.h"

#include "tensor/detail/views_of.h"

#include <vector>

namespace ddx::detail {

std::vector<ir::Type> types_of(const std::vector<Array>& arrays) {
  std::vector<ir::Type> types;
  types.reserve(arrays.size());
  for (const Array& array : arrays) {
    types.push_back({array.shape(), array.dtype()});
  }
  return types;
}

std::vector<ir::Type> result_types(const ir::Graph& graph) {
  std::vector<ir::Type> types;
  for (const ir::ValueId result : graph.results()) {
    types.push_back(graph.type(result));
  }
  return types;
}

backend::StagingScope begun(const char* operation, Device device,
                            const std::vector<ir::Type>& types) {
  return {operation, device, types};
}

backend::StagedGraph finished(backend::StagingScope& scope, const std::vector<Array>& results) {
  return scope.finish(views_of(results));
}

}  // namespace ddx::detail
