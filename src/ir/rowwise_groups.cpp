#include "ir/detail/rowwise_groups.h"

#include "ddx/core/shape.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include "ir/detail/broadcasting.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace ddx::ir::detail {
namespace {

constexpr std::size_t no_group = std::numeric_limits<std::size_t>::max();

// The live values of a longer group would not fit in the nearest caches.
constexpr std::size_t most_clusters = 24;

class Finder {
 public:
  Finder(const Graph& graph, std::span<const Cluster> clusters)
      : graph_(graph),
        clusters_(clusters),
        maker_(graph.value_count(), no_group),
        readers_(clusters.size()),
        readers_of_(graph.value_count()),
        group_of_(clusters.size(), no_group) {
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      for (const ValueId output : clusters[c].outputs) {
        maker_[Graph::index(output)] = c;
      }
      for (const ValueId input : clusters[c].inputs) {
        readers_of_[Graph::index(input)].push_back(c);
        if (const std::size_t read = maker(input); read != no_group) {
          readers_[read].push_back(c);
        }
      }
    }
  }

  std::vector<RowwiseGroup> find() {
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      if (clusters_[c].kind == Cluster::Kind::Loop) {
        follow(c);
      }
    }
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      if (is_loop(c) && group_of_[c] == no_group) {
        adopt(c);
      }
    }
    // One loop and the operations on its sums gain nothing.
    std::erase_if(groups_, [&](const RowwiseGroup& group) {
      return std::ranges::count_if(group.clusters, [&](std::size_t c) {
               return clusters_[c].loop == group.loop;
             }) < 2;
    });
    return std::move(groups_);
  }

 private:
  [[nodiscard]] std::size_t maker(ValueId value) const { return maker_[Graph::index(value)]; }

  /// Adds a loop to the group of a loop that computes one of its operands, or starts a group with
  /// it. Then adds the loops that compute the other operands.
  void follow(std::size_t c) {
    for (const ValueId input : clusters_[c].inputs) {
      const std::size_t made = maker(input);
      if (group_of_[c] == no_group && is_loop(made)) {
        if (group_of_[made] != no_group) {
          join(group_of_[made], {c});
        } else if (is_sum_of_rows(input, clusters_[made].loop)) {
          begin(clusters_[made].loop, graph_.type(input).shape, {made, c});
        }
      }
    }
    for (const ValueId input : clusters_[c].inputs) {
      if (const std::size_t made = maker(input); group_of_[c] != no_group && is_loop(made)) {
        join(group_of_[c], members_with(made));
      }
    }
  }

  /// Adds a loop that only reduces values that a group reads.
  void adopt(std::size_t c) {
    if (!std::ranges::all_of(clusters_[c].outputs,
                             [&](ValueId output) { return is_reduced(output); })) {
      return;
    }
    for (const ValueId input : clusters_[c].inputs) {
      for (const std::size_t reader : readers_of_[Graph::index(input)]) {
        if (group_of_[c] == no_group && group_of_[reader] != no_group) {
          join(group_of_[reader], {c});
        }
      }
    }
  }

  [[nodiscard]] bool is_loop(std::size_t c) const {
    return c != no_group && clusters_[c].kind == Cluster::Kind::Loop;
  }

  /// Whether a value has an element for each of several rows of the loop that computes it.
  [[nodiscard]] bool is_sum_of_rows(ValueId value, const Shape& loop) const {
    const Shape& shape = graph_.type(value).shape;
    return is_reduced(value) && is_column_of(shape, loop) && shape.count() > 1 &&
           shape.count() < loop.count();
  }

  [[nodiscard]] bool is_reduced(ValueId value) const {
    return ops::info(graph_.node(*graph_.producer(value)).op.row()).family ==
           ops::Family::Reduction;
  }

  /// The group of a cluster, or the cluster alone.
  [[nodiscard]] std::vector<std::size_t> members_with(std::size_t c) const {
    return group_of_[c] == no_group ? std::vector<std::size_t>{c} : groups_[group_of_[c]].clusters;
  }

  void begin(const Shape& loop, const Shape& column, std::vector<std::size_t> members) {
    if (can_be_group(loop, column, members)) {
      for (const std::size_t c : members) {
        group_of_[c] = groups_.size();
      }
      groups_.push_back({loop, column, std::move(members)});
    }
  }

  /// Adds clusters to a group, with all others of their own group, if that is possible.
  void join(std::size_t number, const std::vector<std::size_t>& others) {
    RowwiseGroup& group = groups_[number];
    const std::size_t other = group_of_[others[0]];
    if (other == number || (other != no_group && groups_[other].column != group.column)) {
      return;
    }
    std::vector<std::size_t> members = group.clusters;
    members.insert(members.end(), others.begin(), others.end());
    std::ranges::sort(members);
    if (!can_be_group(group.loop, group.column, members)) {
      return;
    }
    if (other != no_group) {
      groups_[other].clusters.clear();
    }
    for (const std::size_t c : others) {
      group_of_[c] = number;
    }
    group.clusters = std::move(members);
  }

  /// Whether the clusters, in their order, can run at the position of the last one, and each of
  /// them row by row.
  [[nodiscard]] bool can_be_group(const Shape& loop, const Shape& column,
                                  const std::vector<std::size_t>& members) const {
    const auto is_member = [&](std::size_t c) { return std::ranges::binary_search(members, c); };
    return members.size() <= most_clusters && std::ranges::all_of(members, [&](std::size_t c) {
             const Cluster& cluster = clusters_[c];
             return (cluster.loop == loop || cluster.loop == column) &&
                    std::ranges::all_of(readers_[c],
                                        [&](std::size_t reader) {
                                          return is_member(reader) || reader > members.back();
                                        }) &&
                    std::ranges::all_of(cluster.inputs, [&](ValueId input) {
                      const std::size_t made = maker(input);
                      return made == no_group || !is_member(made) ||
                             is_there_by_rows(input, clusters_[made].loop == loop, loop, column,
                                              cluster.loop);
                    });
           });
  }

  /// Whether the rows of a value that the group computes are ready when its loop `reader` reads
  /// them.
  [[nodiscard]] bool is_there_by_rows(ValueId value, bool is_made_by_loop, const Shape& loop,
                                      const Shape& column, const Shape& reader) const {
    const Shape& shape = graph_.type(value).shape;
    if (is_reduced(value)) {
      return is_made_by_loop && shape == column;
    }
    return shape == column || (shape == loop && reader == loop);
  }

  const Graph& graph_;
  std::span<const Cluster> clusters_;
  std::vector<std::size_t> maker_;                 // Clusters that compute a value, by its number.
  std::vector<std::vector<std::size_t>> readers_;  // Of each cluster.
  std::vector<std::vector<std::size_t>> readers_of_;  // By the number of the value.
  std::vector<std::size_t> group_of_;
  std::vector<RowwiseGroup> groups_;
};

}  // namespace

std::vector<RowwiseGroup> find_rowwise_groups(const Graph& graph,
                                              std::span<const Cluster> clusters) {
  return Finder(graph, clusters).find();
}

}  // namespace ddx::ir::detail
