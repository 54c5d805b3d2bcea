#include "ir/detail/control_check.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/text.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::ir::detail {
namespace {

const Graph& region(const ControlCheck& check, std::size_t i) {
  return check.graph.region(check.node.regions[i]);
}

/// "the body", say.
std::string name_of(const ControlCheck& check, std::size_t i) {
  return "the " + std::string(info(check.node.op.control()).regions[i]);
}

/// Fails if values of a region do not have these types.
void require_types(const ControlCheck& check, std::size_t i, const char* what,
                   std::span<const ValueId> values, std::span<const Type> wanted) {
  const std::string name = name_of(check, i) + (what[0] == 'p' ? " takes " : " returns ");
  if (values.size() != wanted.size()) {
    check.site.fail(name + std::to_string(values.size()) + " values, not " +
                    std::to_string(wanted.size()));
  }
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (const Type& type = region(check, i).type(values[k]); type != wanted[k]) {
      check.site.fail(name + to_string(type) + " for " + what + " " + std::to_string(k) + ", not " +
                      to_string(wanted[k]));
    }
  }
}

void require_region(const ControlCheck& check, std::size_t i, std::span<const Type> parameters,
                    std::span<const Type> results) {
  require_types(check, i, "parameter", region(check, i).parameters(), parameters);
  require_types(check, i, "result", region(check, i).results(), results);
}

void require_operands(const ControlCheck& check, std::size_t least) {
  if (check.operands.size() < least) {
    check.site.fail("it has " + std::to_string(check.operands.size()) + " operands, fewer than " +
                    std::to_string(least));
  }
}

/// Fails if a result does not have this type.
void require_result(const ControlCheck& check, std::size_t i, const Type& wanted,
                    const char* reason) {
  if (check.results[i] != wanted) {
    check.site.fail("result " + std::to_string(i) + " is " + to_string(check.results[i]) +
                    ", not " + to_string(wanted) + " as " + reason);
  }
}

void check_cond(const ControlCheck& check) {
  require_operands(check, 1);
  if (check.operands[0] != Type{{}, DType::boolean}) {
    check.site.fail("operand 0 is " + to_string(check.operands[0]) + ", not bool[]");
  }
  require_region(check, 0, check.operands.subspan(1), check.results);
  require_region(check, 1, check.operands.subspan(1), check.results);
}

void check_while_loop(const ControlCheck& check) {
  require_operands(check, check.results.size());
  for (std::size_t i = 0; i < check.results.size(); ++i) {
    require_result(check, i, check.operands[i], "the carry before the loop");
  }
  const Type condition{{}, DType::boolean};
  require_region(check, 0, check.operands, {&condition, 1});
  require_region(check, 1, check.operands, check.results);
}

/// The type of one slice along the leading axis.
Type slice_of(const Type& type) {
  const auto extents = type.shape.extents();
  return {Shape(std::vector<Shape::Extent>(extents.begin() + 1, extents.end())), type.dtype};
}

void check_scan(const ControlCheck& check) {
  const ScanFields& scan = check.node.scan;
  require_operands(check, std::size_t{scan.carries} + scan.slices);
  if (scan.trips < 0) {
    check.site.fail("the body is to run " + std::to_string(scan.trips) + " times");
  }
  if (check.results.size() < scan.carries) {
    check.site.fail("it has " + std::to_string(check.results.size()) + " results, fewer than " +
                    std::to_string(scan.carries) + " carries");
  }
  std::vector<Type> taken(check.operands.begin(), check.operands.end());
  for (std::size_t i = scan.carries; i < std::size_t{scan.carries} + scan.slices; ++i) {
    if (taken[i].shape.rank() == 0 || taken[i].shape[0] != scan.trips) {
      check.site.fail("the slices of operand " + std::to_string(i) + ", which is " +
                      to_string(taken[i]) + ", are not " + std::to_string(scan.trips));
    }
    taken[i] = slice_of(taken[i]);
  }
  std::vector<Type> returned(check.results.begin(), check.results.end());
  for (std::size_t i = 0; i < returned.size(); ++i) {
    if (i < scan.carries) {
      require_result(check, i, check.operands[i], "the carry before the loop");
    } else if (returned[i].shape.rank() == 0 || returned[i].shape[0] != scan.trips) {
      check.site.fail("result " + std::to_string(i) + ", which is " + to_string(returned[i]) +
                      ", is no stack of " + std::to_string(scan.trips));
    } else {
      returned[i] = slice_of(returned[i]);
    }
  }
  require_region(check, 0, taken, returned);
}

/// Whether each region has the scalars and checks that the node names.
void check_numbers(const ControlCheck& check) {
  for (std::size_t i = 0; i < check.node.regions.size(); ++i) {
    const Graph& graph = region(check, i);
    const auto counts = [](std::size_t scalars, std::size_t checks) {
      return std::to_string(scalars) + " scalars and " + std::to_string(checks) + " checks";
    };
    const auto& scalars = check.node.region_scalars;
    if (graph.scalars().size() != scalars.size() ||
        graph.check_count() != check.node.region_checks.size()) {
      check.site.fail(name_of(check, i) + " has " +
                      counts(graph.scalars().size(), graph.check_count()) + ", given are " +
                      counts(scalars.size(), check.node.region_checks.size()));
    }
    for (std::size_t k = 0; k < scalars.size(); ++k) {
      if (graph.scalars()[k] != check.graph.scalars()[Graph::index(scalars[k])]) {
        check.site.fail("scalar #" + std::to_string(Graph::index(scalars[k])) + " is no " +
                        (graph.scalars()[k] == ScalarKind::Key ? "key" : "number") + ", as #" +
                        std::to_string(k) + " of " + name_of(check, i) + " is");
      }
    }
  }
}

}  // namespace

void check_control(const ControlCheck& check) {
  check_numbers(check);
  switch (check.node.op.control()) {
    case Control::Cond:
      check_cond(check);
      return;
    case Control::WhileLoop:
      check_while_loop(check);
      return;
    case Control::Scan:
      check_scan(check);
      return;
  }
  __builtin_unreachable();
}

}  // namespace ddx::ir::detail
