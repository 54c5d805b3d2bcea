#include "ddx/ir/passes/rematerialise.h"

#include "ddx/core/dtype.h"
#include "ddx/ir/cost.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/passes/remove_dead_code.h"
#include "ddx/ops/op.h"

#include "ir/detail/is_elementwise.h"
#include "ir/detail/rebuild.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ddx::ir {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// The cost of the operation for an element, in bytes that memory could move in that time. Measured
/// on one thread (a Xeon with 12 to 16 GB/s beyond its second cache): for vectors of 16, an
/// operation takes about one cycle, about four with 16-bit elements, which are rounded after each,
/// and a function twenty.
double recipe_cost_of(const Graph& graph, const Node& node) {
  constexpr double cycle = 0.27;  // Bytes for each of 16 elements.
  const DType dtype = graph.type(node.result()).dtype;
  const bool is_rounded = dtype == DType::f16 || dtype == DType::bf16;
  const double rounding = is_rounded ? 3 : 0;
  switch (node.op.row()) {
    case ops::Op::broadcast_to:
      return 0;
    case ops::Op::neg:
    case ops::Op::abs:
    case ops::Op::square:
    case ops::Op::relu:
    case ops::Op::add:
    case ops::Op::sub:
    case ops::Op::mul:
    case ops::Op::cotangent_product:
    case ops::Op::max:
    case ops::Op::min:
    case ops::Op::add_scaled:
    case ops::Op::select:
    case ops::Op::cast:
      return cycle * (1 + rounding);
    case ops::Op::div:
    case ops::Op::cotangent_quotient:
    case ops::Op::reciprocal:
    case ops::Op::sqrt:
    case ops::Op::rsqrt:
    case ops::Op::exp:
    case ops::Op::exp2:
    case ops::Op::log:
    case ops::Op::tanh:
    case ops::Op::sigmoid:
    case ops::Op::gelu_tanh:
    case ops::Op::silu:
      return cycle * (20 + rounding);
    default:
      return ops::info(node.op.row()).family == ops::Family::Comparison
                 ? cycle
                 : std::numeric_limits<double>::infinity();
  }
}

/// The arrays that a plan's clusters read and write; a write also reads what it replaces.
double traffic_of(const Graph& graph, const FusionPlan& plan) {
  const std::vector<std::uint32_t> uses = use_counts(graph);
  double bytes = 0;
  for (const Cluster& cluster : plan.clusters) {
    if (cluster.kind != Cluster::Kind::Alias) {
      const Cost work = cost_of(graph, cluster.nodes, uses);
      bytes += static_cast<double>(work.bytes_read) + 2 * static_cast<double>(work.bytes_written);
    }
  }
  return bytes;
}

/// Chooses which values are recomputed, and where.
class Choice {
 public:
  Choice(const Graph& graph, const FusionPlan& plan, std::int64_t least_elements)
      : graph_(graph),
        plan_(plan),
        least_elements_(least_elements),
        home_(graph.node_count(), nowhere),
        group_(plan.clusters.size(), nowhere),
        readers_(graph.value_count()),
        is_result_(graph.value_count()),
        again_(plan.clusters.size()),
        extra_inputs_(plan.clusters.size()) {
    for (std::size_t c = 0; c < plan.clusters.size(); ++c) {
      for (const std::size_t node : plan.clusters[c].nodes) {
        home_[node] = c;
      }
    }
    for (std::size_t i = 0; i < plan.groups.size(); ++i) {
      for (const std::size_t c : plan.groups[i].clusters) {
        group_[c] = i;
      }
    }
    for (std::size_t c = 0; c < plan.clusters.size(); ++c) {
      for (const ValueId input : plan.clusters[c].inputs) {
        readers_[Graph::index(input)].push_back(c);
      }
    }
    for (const ValueId result : graph.results()) {
      is_result_[Graph::index(result)] = true;
    }
    for (std::size_t c = 0; c < plan.clusters.size(); ++c) {
      choose(c);
    }
  }

  [[nodiscard]] bool is_empty() const {
    return std::ranges::all_of(again_, [](const auto& nodes) { return nodes.empty(); });
  }
  /// The cluster of a node.
  [[nodiscard]] std::size_t home(std::size_t node) const { return home_[node]; }
  /// The nodes of other clusters that a cluster recomputes.
  [[nodiscard]] const std::set<std::size_t>& made_again(std::size_t cluster) const {
    static const std::set<std::size_t> none;
    return cluster == nowhere ? none : again_[cluster];
  }

 private:
  /// The cost of recomputing a value in a loop.
  struct Recipe {
    std::set<std::size_t> nodes;  ///< Those that the loop does not have yet.
    std::set<ValueId> sources;    ///< Large arrays that it does not read yet.
    double cost = 0;              ///< Per element, in bytes.
    bool is_worth_it = true;
  };

  void choose(std::size_t c) {
    const Cluster& cluster = plan_.clusters[c];
    if (cluster.kind != Cluster::Kind::Loop || cluster.loop.count() < least_elements_) {
      return;
    }
    for (const ValueId value : cluster.outputs) {
      if (can_be_made_again(c, value)) {
        consider(c, value);
      }
    }
  }

  /// Whether only other loops over the same elements read a value.
  [[nodiscard]] bool can_be_made_again(std::size_t c, ValueId value) const {
    const auto& readers = readers_[Graph::index(value)];
    return !is_result_[Graph::index(value)] && !readers.empty() &&
           graph_.type(value).shape == plan_.clusters[c].loop &&
           detail::is_elementwise(graph_.node(*graph_.producer(value)).op) &&
           std::ranges::all_of(readers, [&](std::size_t reader) {
             const Cluster& other = plan_.clusters[reader];
             return other.kind == Cluster::Kind::Loop && other.loop == plan_.clusters[c].loop &&
                    (group_[c] == nowhere || group_[reader] != group_[c]);
           });
  }

  void consider(std::size_t c, ValueId value) {
    const auto& readers = readers_[Graph::index(value)];
    const auto elements = static_cast<double>(plan_.clusters[c].loop.count());
    const auto size = static_cast<double>(bytes_of(graph_.type(value)));
    const double saved = size * static_cast<double>(2 + readers.size());
    std::vector<Recipe> recipes;
    double traffic = 0;
    double held = 0;
    for (const std::size_t reader : readers) {
      Recipe recipe;
      find_recipe(*graph_.producer(value), {c, reader, saved / elements}, recipe);
      if (!recipe.is_worth_it) {
        return;
      }
      traffic += recipe.cost * elements;
      for (const ValueId source : recipe.sources) {
        traffic += static_cast<double>(bytes_of(graph_.type(source)));
        held +=
            last_reader(source) < reader ? static_cast<double>(bytes_of(graph_.type(source))) : 0;
      }
      recipes.push_back(std::move(recipe));
    }
    if (traffic >= saved || held > size) {
      return;
    }
    for (std::size_t i = 0; i < readers.size(); ++i) {
      again_[readers[i]].merge(recipes[i].nodes);
      for (const ValueId source : recipes[i].sources) {
        extra_inputs_[readers[i]].insert(source);
        readers_[Graph::index(source)].push_back(readers[i]);
      }
    }
  }

  /// The last cluster that reads a value; beyond all clusters for a value that stays in memory.
  [[nodiscard]] std::size_t last_reader(ValueId value) const {
    if (!graph_.producer(value) || is_result_[Graph::index(value)]) {
      return nowhere;
    }
    return std::ranges::max(readers_[Graph::index(value)]);
  }

  /// Where a value is recomputed.
  struct Place {
    std::size_t from;  ///< The loop that computes it now.
    std::size_t reader;
    double most;  ///< The maximum cost of an element, in bytes.
  };

  /// Adds the cost of recomputing the result of a node. Stops where costs exceed the limit.
  void find_recipe(std::size_t i, const Place& place, Recipe& recipe) const {
    const auto& [from, reader, most] = place;
    if (!recipe.is_worth_it || again_[reader].contains(i) || !recipe.nodes.insert(i).second) {
      return;
    }
    const Node node = graph_.node(i);
    recipe.cost += recipe_cost_of(graph_, node);
    if (recipe.cost >= most) {
      recipe.is_worth_it = false;
      return;
    }
    for (const ValueId operand : node.operands) {
      const std::optional<std::size_t> maker = graph_.producer(operand);
      if (maker && graph_.node(*maker).op == ops::Op::full) {
        continue;
      }
      const bool is_in_step = maker && detail::runs_in_loop(graph_.node(*maker).op) &&
                              plan_.clusters[home_[*maker]].loop == plan_.clusters[from].loop;
      if (is_in_step && home_[*maker] == from) {
        find_recipe(*maker, place, recipe);
        continue;
      }
      if (is_in_step) {
        recipe.is_worth_it = false;  // It would run in the loop that computes the operand.
        return;
      }
      const auto& inputs = plan_.clusters[reader].inputs;
      const bool is_large = graph_.type(operand).shape.count() >= least_elements_;
      if (is_large && std::ranges::find(inputs, operand) == inputs.end() &&
          !extra_inputs_[reader].contains(operand)) {
        recipe.sources.insert(operand);
      }
    }
  }

  const Graph& graph_;
  const FusionPlan& plan_;
  std::int64_t least_elements_;
  std::vector<std::size_t> home_;                  // By node.
  std::vector<std::size_t> group_;                 // By cluster.
  std::vector<std::vector<std::size_t>> readers_;  // By value: clusters that read it from memory.
  std::vector<bool> is_result_;                    // By value.
  std::vector<std::set<std::size_t>> again_;       // By cluster: nodes of others recomputed there.
  std::vector<std::set<ValueId>> extra_inputs_;    // By cluster.
};

/// The graph with the recomputed nodes, each before the first node of its loop that needs it.
class Copy {
 public:
  Copy(const Graph& graph, const Choice& choice) : graph_(graph), rebuild_(graph) {
    for (std::size_t i = 0; i < graph.node_count(); ++i) {
      loops_.try_emplace(choice.home(i), choice.made_again(choice.home(i)));
    }
    for (std::size_t i = 0; i < graph.node_count(); ++i) {
      copy(i, loops_.at(choice.home(i)));
    }
  }

  Graph finish() && { return std::move(rebuild_).finish(); }

 private:
  /// A loop with the nodes of other loops that it recomputes, in order.
  struct Loop {
    explicit Loop(const std::set<std::size_t>& nodes_in) : nodes(nodes_in), next(nodes.begin()) {}

    const std::set<std::size_t>& nodes;
    std::set<std::size_t>::const_iterator next;  ///< Those before it are done.
    std::map<ValueId, ValueId> made;  ///< The replacements in this loop for values of the graph.
  };

  /// Appends a node, preceded by the nodes it needs that its loop recomputes.
  void copy(std::size_t i, Loop& loop) {
    std::size_t end = 0;
    for (const ValueId operand : graph_.node(i).operands) {
      if (const auto maker = graph_.producer(operand); maker && loop.nodes.contains(*maker)) {
        end = std::max(end, *maker + 1);
      }
    }
    for (; loop.next != loop.nodes.end() && *loop.next < end; ++loop.next) {
      const ValueId value = graph_.node(*loop.next).result();
      const ValueId stored = rebuild_[value];
      copy_with(loop, *loop.next);
      loop.made.emplace(value, rebuild_[value]);
      rebuild_.replace(value, stored);
    }
    copy_with(loop, i);
  }

  /// Appends a node whose operands are the recomputed ones, if the loop has them.
  void copy_with(const Loop& loop, std::size_t i) {
    const Node node = graph_.node(i);
    std::vector<std::pair<ValueId, ValueId>> stored;
    for (const ValueId operand : node.operands) {
      if (const auto again = loop.made.find(operand); again != loop.made.end()) {
        stored.emplace_back(operand, rebuild_[operand]);
        rebuild_.replace(operand, again->second);
      }
    }
    rebuild_.copy(node, rematerialise);
    for (auto each = stored.rbegin(); each != stored.rend(); ++each) {
      rebuild_.replace(each->first, each->second);
    }
  }

  const Graph& graph_;
  detail::Rebuild rebuild_;
  std::map<std::size_t, Loop> loops_;  // By cluster.
};

}  // namespace

Graph rematerialise(const Graph& graph) {
  constexpr std::int64_t least_elements = 65536;
  return rematerialise(graph, least_elements);
}

Graph rematerialise(const Graph& graph, std::int64_t least_elements) {
  const FusionPlan plan = plan_fusion(graph);
  const Choice choice(graph, plan, least_elements);
  if (choice.is_empty() && graph.region_count() == 0) {
    return graph;
  }
  // Values computed for later loops only are no longer needed at their old position.
  Graph result = remove_dead_code(Copy(graph, choice).finish());
  const bool is_less =
      choice.is_empty() || traffic_of(result, plan_fusion(result)) < traffic_of(graph, plan);
  return is_less ? std::move(result) : graph;
}

}  // namespace ddx::ir
