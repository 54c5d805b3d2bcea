// Operations with regions: cond, while_loop and scan.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"
#include "stablehlo/detail/frame.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {

std::vector<ScalarUse> scalar_uses(const ir::Graph& graph) {
  std::vector<std::vector<ir::Type>> uses(graph.scalars().size());
  const auto add = [&](std::size_t scalar, const ir::Type& type) {
    if (std::ranges::find(uses[scalar], type) == uses[scalar].end()) {
      uses[scalar].push_back(type);
    }
  };
  std::vector<std::vector<ScalarUse>> in_region(graph.region_count());
  for (std::size_t i = 0; i < in_region.size(); ++i) {
    in_region[i] = scalar_uses(graph.region(static_cast<ir::RegionId>(i)));
  }
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const ir::Node node = graph.node(i);
    for (const ir::RegionId region : node.regions) {
      for (const ScalarUse& use : in_region[static_cast<std::size_t>(region)]) {
        add(ir::Graph::index(node.region_scalars[use.scalar]), use.type);
      }
    }
    if (node.op.is_control()) {
      continue;
    }
    const auto types =
        field_types(node.op.row(), node.attributes, graph.type(node.first_result).dtype);
    for (std::size_t k = 0; k < types.size(); ++k) {
      if (node.scalars[k] != ir::baked) {
        add(ir::Graph::index(node.scalars[k]), types[k]);
      }
    }
  }
  std::vector<ScalarUse> list;
  for (std::size_t scalar = 0; scalar < uses.size(); ++scalar) {
    for (const ir::Type& type : uses[scalar]) {
      list.push_back({scalar, type});
    }
  }
  return list;
}

namespace {

/// The values of a region: its results, and whether each of its checks has failed.
struct Outcome {
  Values results;
  Values failures;
};

void append_to(Values& list, const Values& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// `count` values from number `first` on.
Values part(const Values& list, std::size_t first, std::size_t count) {
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

class ControlEmission {
 public:
  ControlEmission(Builder& builder, Frame& frame, const ir::Node& node, bool fast_products)
      : builder_(builder), frame_(frame), node_(node), fast_products_(fast_products) {
    for (const ir::ValueId operand : node.operands) {
      operands_.push_back(frame.at(operand));
    }
    for (const ir::RegionId region : node.regions) {
      for (const ScalarUse& use : scalar_uses(frame.graph.region(region))) {
        if (std::ranges::find(uses_, use) == uses_.end()) {
          uses_.push_back(use);
        }
      }
    }
    for (const ScalarUse& use : uses_) {
      const ir::ScalarId outer = node.region_scalars[use.scalar];
      scalars_.push_back(frame.scalar({ir::Graph::index(outer), use.type}));
    }
  }

  void emit() {
    switch (node_.op.control()) {
      case ir::Control::Cond:
        emit_cond();
        return;
      case ir::Control::WhileLoop:
        emit_while_loop();
        return;
      case ir::Control::Scan:
        emit_scan();
        return;
    }
    __builtin_unreachable();
  }

 private:
  [[nodiscard]] std::size_t checks() const { return node_.region_checks.size(); }

  /// Emits a region at the builder's position.
  [[nodiscard]] Outcome inlined(std::size_t i, const Values& parameters,
                                const Values& scalars) const {
    const ir::Graph& graph = frame_.graph.region(node_.regions[i]);
    Frame frame(graph);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      frame.values[ir::Graph::index(graph.parameters()[k])] = parameters[k];
    }
    for (std::size_t k = 0; k < uses_.size(); ++k) {
      frame.scalars.emplace_back(uses_[k], scalars[k]);
    }
    emit_nodes(builder_, frame, fast_products_);
    return {frame.results(), frame.failures(builder_)};
  }

  [[nodiscard]] Values no_failures() const {
    return checks() == 0 ? Values() : Values(checks(), builder_.number(0, DType::boolean));
  }

  void give(const Values& results, const Values& failures) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      frame_.values[ir::Graph::index(node_.result(i))] = results[i];
    }
    for (std::size_t i = 0; i < failures.size(); ++i) {
      frame_.checks[ir::Graph::index(node_.region_checks[i])] = failures[i];
    }
  }

  /// Each of a with its counterpart.
  [[nodiscard]] static Values united(const Values& a, const Values& b) {
    Values both;
    for (std::size_t i = 0; i < a.size(); ++i) {
      both.push_back(a[i] | b[i]);
    }
    return both;
  }

  /// Whether the loop continues: failed values have no meaning, and might never end it.
  [[nodiscard]] static Value unless_failed(Value goes_on, const Values& failures) {
    for (const Value& failure : failures) {
      goes_on = goes_on & ~failure;
    }
    return goes_on;
  }

  void emit_cond() {
    const Value index = convert(operands_[0], DType::i32);
    std::vector<Region> branches;
    std::vector<ir::Type> types;
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {  // Else, then: by 0 and 1.
      branches.push_back(builder_.region({}, [&](const Values&) {
        Outcome outcome = inlined(i, part(operands_, 1, operands_.size() - 1), scalars_);
        append_to(outcome.results, outcome.failures);
        types.clear();
        for (const Value& value : outcome.results) {
          types.push_back(value.type());
        }
        return outcome.results;
      }));
    }
    const Values all = builder_.append(Code::case_, {index}, types, {}, std::move(branches));
    give(part(all, 0, node_.result_count), part(all, node_.result_count, checks()));
  }

  /// A loop over a carry, failure flags, and invariants.
  struct Loop {
    Values carry;
    Values failures;
    Values constant;

    [[nodiscard]] Values all() const {
      Values list = carry;
      append_to(list, failures);
      append_to(list, constant);
      return list;
    }
    [[nodiscard]] Loop with(const Values& values) const {
      return {part(values, 0, carry.size()), part(values, carry.size(), failures.size()),
              part(values, carry.size() + failures.size(), constant.size())};
    }
  };

  /// Runs a loop and returns its last state.
  template <class Condition, class Step>
  [[nodiscard]] Loop run(const Loop& start, const Condition& condition, const Step& step) const {
    const Values last = while_loop(
        start.all(),
        [&](const Values& values) {
          const Loop state = start.with(values);
          return unless_failed(condition(state), state.failures);
        },
        [&](const Values& values) { return step(start.with(values)).all(); });
    return start.with(last);
  }

  [[nodiscard]] Values scalars_in(const Values& constant) const {
    return part(constant, constant.size() - uses_.size(), uses_.size());
  }

  void emit_while_loop() {
    const std::size_t carries = node_.result_count;
    Loop start{part(operands_, 0, carries), no_failures(),
               part(operands_, carries, operands_.size() - carries)};
    append_to(start.constant, scalars_);
    const auto region_of = [&](std::size_t i, const Values& carry, const Values& constant) {
      Values parameters = carry;
      append_to(parameters, part(constant, 0, constant.size() - uses_.size()));
      return inlined(i, parameters, scalars_in(constant));
    };
    if (checks() == 0) {
      const Loop last = run(
          start,
          [&](const Loop& state) { return region_of(0, state.carry, state.constant).results[0]; },
          [&](const Loop& state) {
            return Loop{region_of(1, state.carry, state.constant).results, {}, state.constant};
          });
      give(last.carry, {});
      return;
    }
    // A condition of the specification returns only its result. So it is computed before the loop
    // and after its body, where its checks are available, and the result is carried.
    Outcome first = region_of(0, start.carry, start.constant);
    start.carry.push_back(first.results[0]);
    start.failures = first.failures;
    const Loop last = run(
        start, [&](const Loop& state) { return state.carry.back(); },
        [&](const Loop& state) {
          const Values carry = part(state.carry, 0, carries);
          const Outcome body = region_of(1, carry, state.constant);
          const Outcome again = region_of(0, body.results, state.constant);
          Loop next{body.results, united(united(state.failures, body.failures), again.failures),
                    state.constant};
          next.carry.push_back(again.results[0]);
          return next;
        });
    give(part(last.carry, 0, carries), last.failures);
  }

  /// The slice of an array at a position along the leading axis.
  [[nodiscard]] Value slice_at(const Value& array, const Value& place) const {
    Values starts(array.rank(), builder_.number(0, place.dtype()));
    starts[0] = place;
    Ints sizes(array.shape().extents().begin(), array.shape().extents().end());
    sizes[0] = 1;
    return reshape(dynamic_slice(array, starts, sizes), without(array.shape(), {0}));
  }

  [[nodiscard]] Value with_slice(const Value& array, const Value& slice, const Value& place) const {
    Values starts(array.rank(), builder_.number(0, place.dtype()));
    starts[0] = place;
    return dynamic_update_slice(array, reshape(slice, with_extent(array.shape(), 0, 1)), starts);
  }

  void emit_scan() {
    const ir::ScanFields& scan = node_.scan;
    const std::size_t carries = scan.carries;
    Values stacks;
    for (std::size_t i = carries; i < node_.result_count; ++i) {
      stacks.push_back(builder_.zeros(frame_.graph.type(node_.result(i))));
    }
    if (scan.trips == 0) {
      Values results = part(operands_, 0, carries);
      append_to(results, stacks);
      give(results, no_failures());
      return;
    }
    const DType index =
        scan.trips < std::numeric_limits<std::int32_t>::max() ? DType::i32 : DType::i64;
    Loop start{{builder_.number(0, index)},
               no_failures(),
               part(operands_, carries, operands_.size() - carries)};
    append_to(start.carry, part(operands_, 0, carries));
    append_to(start.carry, stacks);
    append_to(start.constant, scalars_);
    const Loop last = run(
        start,
        [&](const Loop& state) {
          return compare("LT", state.carry[0], static_cast<double>(scan.trips));
        },
        [&](const Loop& state) { return scan_turn(state); });
    give(part(last.carry, 1, node_.result_count), last.failures);
  }

  [[nodiscard]] auto scan_turn(const Loop& state) const -> Loop {
    const ir::ScanFields& scan = node_.scan;
    const std::size_t carries = scan.carries;
    const Value& turn = state.carry[0];
    const Value place = scan.reverse ? static_cast<double>(scan.trips - 1) - turn : turn;
    Values parameters = part(state.carry, 1, carries);
    for (std::size_t i = 0; i < scan.slices; ++i) {
      parameters.push_back(slice_at(state.constant[i], place));
    }
    append_to(parameters, part(state.constant, scan.slices,
                               state.constant.size() - scan.slices - uses_.size()));
    const Outcome body = inlined(0, parameters, scalars_in(state.constant));
    Loop next{{turn + 1}, united(state.failures, body.failures), state.constant};
    append_to(next.carry, part(body.results, 0, carries));
    for (std::size_t i = carries; i < body.results.size(); ++i) {
      next.carry.push_back(with_slice(state.carry[1 + i], body.results[i], place));
    }
    return next;
  }

  Builder& builder_;
  Frame& frame_;
  const ir::Node& node_;
  bool fast_products_;
  Values operands_;
  std::vector<ScalarUse> uses_;  // In the numbers of the regions.
  Values scalars_;               // Their values around the node.
};

}  // namespace

void emit_control(Builder& builder, Frame& frame, const ir::Node& node, bool fast_products) {
  ControlEmission(builder, frame, node, fast_products).emit();
}

}  // namespace ddx::stablehlo::detail
