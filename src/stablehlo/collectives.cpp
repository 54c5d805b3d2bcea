#include "stablehlo/detail/collectives.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/stablehlo/emitter.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {
namespace {

using Attributes = std::vector<std::pair<std::string, Attribute>>;

[[noreturn]] void fail(const std::string& facts) {
  throw UsageError("emit", "a collective operation: " + facts);
}

Matrix matrix_of(const Collective& collective) {
  if (collective.groups.empty()) {
    fail("it has no group of devices");
  }
  const std::size_t size = collective.groups[0].size();
  Matrix matrix{static_cast<std::int64_t>(size), {}};
  for (const auto& group : collective.groups) {
    if (group.size() != size || size == 0) {
      fail("groups of " + std::to_string(size) + " and " + std::to_string(group.size()) +
           " devices");
    }
    matrix.values.insert(matrix.values.end(), group.begin(), group.end());
  }
  return matrix;
}

void check_axis(const Value& x, std::size_t axis, std::int64_t parts) {
  if (axis >= x.rank()) {
    fail("there is no axis " + std::to_string(axis) + "; shape " + to_string(x.shape()));
  }
  if (x.extent(axis) % parts != 0) {
    fail("axis " + std::to_string(axis) + " does not fall into " + std::to_string(parts) +
         " parts; shape " + to_string(x.shape()));
  }
}

Region sum_of(const Value& x) {
  const ir::Type element{{}, x.dtype()};
  return x.builder().region({element, element},
                            [](const Values& values) { return Values{values[0] + values[1]}; });
}

std::vector<Region> regions_of(Region region) {
  std::vector<Region> regions;
  regions.push_back(std::move(region));
  return regions;
}

/// One channel: an operation that runs on all partitions at once needs a number that they share.
Attribute channel() {
  return Fields{"channel_handle", {{"handle", false, {1}}, {"type", false, {1}}}};
}

Integer integer(std::size_t value) {
  return {static_cast<std::int64_t>(value)};
}

}  // namespace

Value communicated(const Value& x, const Collective& collective, bool partitioned) {
  const Matrix groups = matrix_of(collective);
  const std::int64_t parts = groups.columns;
  const auto with_channel = [&](Attributes attributes, bool global) {
    if (partitioned) {
      attributes.emplace_back("channel_handle", channel());
      if (global) {
        attributes.emplace_back("use_global_device_ids", Unit{});
      }
    }
    return attributes;
  };
  Builder& builder = x.builder();
  const std::size_t axis = collective.axis;
  switch (collective.kind) {
    case CollectiveKind::AllReduce:
      return builder.append_one(Code::all_reduce_, {x}, x.type(),
                                with_channel({{"replica_groups", groups}}, true),
                                regions_of(sum_of(x)));
    case CollectiveKind::AllGather:
      check_axis(x, axis, 1);
      return builder.append_one(
          Code::all_gather_, {x}, {with_extent(x.shape(), axis, x.extent(axis) * parts), x.dtype()},
          with_channel({{"all_gather_dim", integer(axis)}, {"replica_groups", groups}}, true));
    case CollectiveKind::ReduceScatter:
      check_axis(x, axis, parts);
      return builder.append_one(
          Code::reduce_scatter_, {x},
          {with_extent(x.shape(), axis, x.extent(axis) / parts), x.dtype()},
          with_channel({{"scatter_dimension", integer(axis)}, {"replica_groups", groups}}, true),
          regions_of(sum_of(x)));
    case CollectiveKind::AllToAll: {
      check_axis(x, axis, parts);
      check_axis(x, collective.concatenated, 1);
      const Shape split = with_extent(x.shape(), axis, x.extent(axis) / parts);
      return builder.append_one(
          Code::all_to_all_, {x},
          {with_extent(split, collective.concatenated, split[collective.concatenated] * parts),
           x.dtype()},
          with_channel({{"split_dimension", integer(axis)},
                        {"concat_dimension", integer(collective.concatenated)},
                        {"split_count", Integer{parts}},
                        {"replica_groups", groups}},
                       false));
    }
    case CollectiveKind::CollectivePermute:
      if (parts != 2) {
        fail("its pairs have " + std::to_string(parts) + " devices");
      }
      return builder.append_one(Code::collective_permute_, {x}, x.type(),
                                with_channel({{"source_target_pairs", groups}}, false));
  }
  __builtin_unreachable();
}

}  // namespace ddx::stablehlo::detail
