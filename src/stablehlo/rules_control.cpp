// Rules of control flow, and of operations between devices.

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

std::vector<ir::Type> result_types(const OpCheck& check) {
  std::vector<ir::Type> types;
  for (std::size_t i = 0; i < check.results(); ++i) {
    types.push_back(check.result(i));
  }
  return types;
}

void check_case(const OpCheck& check) {
  check.require_operand(0, {{}, DType::i32});
  check.require(!check.operation().regions.empty(), "a region", "none");
  for (std::size_t i = 0; i < check.operation().regions.size(); ++i) {
    check.require_region(i, {}, result_types(check));
  }
}

void check_while(const OpCheck& check) {
  std::vector<ir::Type> types;
  for (std::size_t i = 0; i < check.operands(); ++i) {
    types.push_back(check.operand(i));
  }
  check.require_results(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    check.require_result(types[i], i);
  }
  check.require_region(0, types, {{{}, DType::boolean}});
  check.require_region(1, types, types);
}

/// The devices of each group, all groups of one size and no device twice; returns the size.
std::int64_t check_groups(const OpCheck& check) {
  const auto& groups = check.get<Matrix>("replica_groups");
  const Module& module = check.module();
  const std::int64_t devices = module.replicas * module.partitions;
  check.require(groups.columns > 0 && !groups.values.empty(), "a group of devices", "none");
  for (const std::int64_t device : groups.values) {
    check.require(device >= 0 && device < devices, "devices below " + std::to_string(devices),
                  text_of(groups.values));
    check.require(std::count(groups.values.begin(), groups.values.end(), device) == 1,
                  "each device in one group", text_of(groups.values));
  }
  return groups.columns;
}

void require_parts(const OpCheck& check, std::size_t axis, std::int64_t parts) {
  check.require(check.shape(0)[axis] % parts == 0,
                "axis " + std::to_string(axis) + " in " + std::to_string(parts) + " parts",
                std::to_string(check.shape(0)[axis]));
}

void require_sum_region(const OpCheck& check) {
  const ir::Type element{{}, check.operand(0).dtype};
  check.require_region(0, {element, element}, {element});
}

void check_all_to_all(const OpCheck& check) {
  const std::int64_t parts = check_groups(check);
  const Shape& x = check.shape(0);
  const std::size_t split = check.axis("split_dimension", x.rank());
  const std::size_t joined = check.axis("concat_dimension", x.rank());
  check.require(check.integer("split_count") == parts,
                "split_count " + std::to_string(parts) + " as groups have devices",
                std::to_string(check.integer("split_count")));
  require_parts(check, split, parts);
  const Shape divided = with_extent(x, split, x[split] / parts);
  check.require_shape(with_extent(divided, joined, divided[joined] * parts));
}

void check_collective_permute(const OpCheck& check) {
  const auto& pairs = check.get<Matrix>("source_target_pairs");
  const Module& module = check.module();
  const std::int64_t devices = module.replicas * module.partitions;
  check.require(pairs.columns == 2, "pairs of devices",
                std::to_string(pairs.columns) + " devices in a row");
  for (std::size_t i = 0; i < pairs.values.size(); ++i) {
    check.require(pairs.values[i] >= 0 && pairs.values[i] < devices,
                  "devices below " + std::to_string(devices), text_of(pairs.values));
    for (std::size_t k = i % 2; k < i; k += 2) {
      check.require(pairs.values[k] != pairs.values[i],
                    "each device once as sender and once as receiver", text_of(pairs.values));
    }
  }
  check.require_shape(check.shape(0));
}

}  // namespace

void check_control_rule(const OpCheck& check) {
  if (info(check.operation().code).rule == Rule::Case) {
    check_case(check);
  } else {
    check_while(check);
  }
}

void check_collective_rule(const OpCheck& check) {
  check.require_results(1);
  const Shape& x = check.shape(0);
  switch (info(check.operation().code).rule) {
    case Rule::AllGather: {
      const std::size_t axis = check.axis("all_gather_dim", x.rank());
      check.require_shape(with_extent(x, axis, x[axis] * check_groups(check)));
      return;
    }
    case Rule::ReduceScatter: {
      const std::size_t axis = check.axis("scatter_dimension", x.rank());
      const std::int64_t parts = check_groups(check);
      require_parts(check, axis, parts);
      check.require_shape(with_extent(x, axis, x[axis] / parts));
      require_sum_region(check);
      return;
    }
    case Rule::AllToAll:
      check_all_to_all(check);
      return;
    case Rule::CollectivePermute:
      check_collective_permute(check);
      return;
    default:
      (void)check_groups(check);
      check.require(check.operands() == 1, "one operand", std::to_string(check.operands()));
      check.require_shape(x);
      require_sum_region(check);
  }
}

}  // namespace ddx::stablehlo::detail
