/// \file
/// Plans of graphs against the graphs, run node by node.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/kernel.h"

#include "backend/lazy/plan.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::testing {

/// Copies of parameters that a run may write over.
struct Donated {
  explicit Donated(const backend::Arguments& arguments) {
    for (const ops::View& parameter : arguments.parameters) {
      const std::size_t bytes =
          static_cast<std::size_t>(parameter.shape().count()) * info(parameter.dtype()).bytes;
      memory.emplace_back(bytes);
      if (bytes > 0) {
        std::memcpy(memory.back().data(), parameter.data<std::byte>(), bytes);
      }
      views.emplace_back(memory.back().data(), parameter.shape(), parameter.dtype());
    }
  }

  std::vector<backend::Buffer> memory;
  std::vector<ops::View> views;
};

/// Expects that a plan computes what the graph does when it is run node by node, to the bit; also
/// where it may write over all parameters. Returns how many results then lie where a parameter was.
inline std::size_t expect_same(const ir::Graph& graph, const backend::lazy::Plan& plan,
                               const backend::Arguments& arguments) {
  const backend::Backend& backend = backend::backend_of(Device::cpu());
  const auto expected = backend::outcomes_of(graph, arguments, backend);
  Donated donated(arguments);
  const auto kept = plan.run(arguments, backend);
  const auto overwritten =
      plan.run({donated.views, arguments.scalars, arguments.checks}, backend, donated.memory);
  std::size_t in_place = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto [is_parameter, place] = plan.sources()[i];
    if (is_parameter) {
      continue;
    }
    const std::size_t bytes = bytes_of(graph.type(graph.results()[i]));
    for (const auto* got : {&kept[place], &overwritten[place]}) {
      EXPECT_EQ(got->error, nullptr);
      EXPECT_EQ(std::memcmp(got->elements.data(), expected[i].elements.data(), bytes), 0)
          << "result " << i << (got == &kept[place] ? "" : ", parameters donated") << "\n"
          << to_text(graph);
    }
    in_place += static_cast<std::size_t>(
        std::ranges::count(donated.views, overwritten[place].elements.data(),
                           [](const ops::View& view) { return view.data<std::byte>(); }));
  }
  return in_place;
}

}  // namespace ddx::testing
