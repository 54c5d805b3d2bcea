#include "ddx/ir/memory_plan.h"

#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/op.h"

#include "ir/detail/operands_to_overwrite.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ddx::ir {
namespace {

constexpr std::size_t no_one = std::numeric_limits<std::size_t>::max();

/// Memory for several values in turn, or for several with the same content.
struct Storage {
  std::size_t bytes = 0;
  std::size_t first = 0;  ///< The node that writes it first.
  std::size_t last = 0;   ///< The last node that reads it; the number of nodes for results.
  std::optional<std::size_t> parameter;
  std::optional<std::size_t> result;  ///< The first result stored in it.
  bool writable = true;
};

/// The space of a value in the arena.
std::size_t room_of(const Type& type) {
  return (bytes_of(type) + arena_alignment - 1) / arena_alignment * arena_alignment;
}

/// For each value the last node that reads it.
std::vector<std::size_t> last_uses(const Graph& graph) {
  std::vector<std::size_t> last(graph.value_count());
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    for (std::size_t result = 0; result < node.result_count; ++result) {
      last[Graph::index(node.result(result))] = i;
    }
    for (const ValueId operand : node.operands) {
      last[Graph::index(operand)] = i;
    }
  }
  for (const ValueId result : graph.results()) {
    last[Graph::index(result)] = graph.node_count();
  }
  return last;
}

/// Assigns every value a storage, in the order of the nodes.
class Assignment {
 public:
  Assignment(const Graph& graph, const std::vector<bool>& donated)
      : graph_(graph), last_(last_uses(graph)), storage_of_(graph.value_count(), no_one) {
    for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
      const ValueId parameter = graph.parameters()[i];
      Storage& storage = open(parameter, 0);
      storage.parameter = i;
      storage.writable = i < donated.size() && donated[i];
    }
    for (std::size_t i = 0; i < graph.node_count(); ++i) {
      assign(graph.node(i), i);
    }
    for (std::size_t i = 0; i < graph.results().size(); ++i) {
      Storage& storage = storages_[storage_of_[Graph::index(graph.results()[i])]];
      if (!storage.result) {
        storage.result = i;
      }
    }
  }

  [[nodiscard]] const std::vector<Storage>& storages() const { return storages_; }
  [[nodiscard]] std::size_t storage_of(std::size_t value) const { return storage_of_[value]; }

 private:
  Storage& open(ValueId value, std::size_t node) {
    storage_of_[Graph::index(value)] = storages_.size();
    Storage& storage = storages_.emplace_back();
    storage.bytes = room_of(graph_.type(value));
    storage.first = node;
    storage.last = last_[Graph::index(value)];
    return storage;
  }
  void join(ValueId value, std::size_t storage) {
    storage_of_[Graph::index(value)] = storage;
    storages_[storage].last = std::max(storages_[storage].last, last_[Graph::index(value)]);
  }

  void assign(const Node& node, std::size_t i) {
    if (const std::optional<std::size_t> shared = storage_to_share(node, i)) {
      join(node.result(), *shared);
      return;
    }
    for (std::size_t result = 0; result < node.result_count; ++result) {
      open(node.result(result), i);
    }
  }

  /// The storage of an operand that the result may share.
  std::optional<std::size_t> storage_to_share(const Node& node, std::size_t i) const {
    if (node.op == ops::Op::reshape) {
      return storage_of_[Graph::index(node.operands[0])];
    }
    const std::size_t count =
        std::min(detail::operands_to_overwrite(node.op), node.operands.size());
    for (std::size_t k = 0; k < count; ++k) {
      const ValueId operand = node.operands[k];
      const std::size_t storage = storage_of_[Graph::index(operand)];
      if (graph_.type(operand) == graph_.type(node.result()) && storages_[storage].writable &&
          storages_[storage].last == i && is_safe(node, storage, operand)) {
        return storage;
      }
    }
    return std::nullopt;
  }

  /// Whether every operand in the storage has the result's shape, so that no element is read after
  /// it was written. Only the first operand of an update may be there.
  bool is_safe(const Node& node, std::size_t storage, ValueId chosen) const {
    const bool updates = ops::info(node.op.row()).family == ops::Family::Update;
    return std::ranges::all_of(node.operands, [&](ValueId other) {
      return storage_of_[Graph::index(other)] != storage ||
             (updates ? other == chosen && std::ranges::count(node.operands, chosen) == 1
                      : graph_.type(other) == graph_.type(chosen));
    });
  }

  const Graph& graph_;
  std::vector<std::size_t> last_;
  std::vector<std::size_t> storage_of_;
  std::vector<Storage> storages_;
};

/// The arena during planning: each new value goes into the smallest gap between live ones.
class Arena {
 public:
  std::size_t place(const Storage& storage) {
    std::erase_if(alive_, [&](const Piece& piece) { return piece.last < storage.first; });
    std::size_t best = no_one;
    std::size_t best_gap = no_one;
    std::size_t cursor = 0;
    for (const Piece& piece : alive_) {
      const std::size_t gap = piece.begin - cursor;
      if (gap >= storage.bytes && gap < best_gap) {
        best = cursor;
        best_gap = gap;
      }
      cursor = piece.begin + piece.bytes;
    }
    const std::size_t begin = best == no_one ? cursor : best;
    if (storage.bytes > std::numeric_limits<std::size_t>::max() - begin) {
      throw EnvironmentError("allocate", std::to_string(begin) + " and " +
                                             std::to_string(storage.bytes) +
                                             " bytes together are more than any memory has");
    }
    const Piece piece{begin, storage.bytes, storage.last};
    alive_.insert(std::ranges::upper_bound(alive_, begin, {}, &Piece::begin), piece);
    bytes_ = std::max(bytes_, begin + storage.bytes);
    return begin;
  }

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Piece {
    std::size_t begin;
    std::size_t bytes;
    std::size_t last;
  };

  std::vector<Piece> alive_;  // In the order of their offsets.
  std::size_t bytes_ = 0;
};

std::string text_of(const Home& home) {
  switch (home.kind) {
    case Home::Kind::Parameter:
      return "parameter " + std::to_string(home.place);
    case Home::Kind::Result:
      return "result " + std::to_string(home.place);
    case Home::Kind::Arena:
      return "at " + std::to_string(home.place);
  }
  __builtin_unreachable();
}

}  // namespace

MemoryPlan plan_memory(const Graph& graph, const std::vector<bool>& donated) {
  const Assignment assignment(graph, donated);
  Arena arena;
  std::vector<Home> homes;
  for (const Storage& storage : assignment.storages()) {
    if (storage.parameter) {
      homes.push_back({Home::Kind::Parameter, *storage.parameter});
    } else if (storage.result) {
      homes.push_back({Home::Kind::Result, *storage.result});
    } else {
      homes.push_back({Home::Kind::Arena, arena.place(storage)});
    }
  }
  MemoryPlan plan;
  plan.arena_bytes = arena.bytes();
  for (std::size_t value = 0; value < graph.value_count(); ++value) {
    plan.homes.push_back(homes[assignment.storage_of(value)]);
  }
  return plan;
}

std::string to_text(const Graph& graph, const MemoryPlan& plan) {
  std::string text;
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    text += to_text(graph, i) + "  ;";
    for (std::size_t result = 0; result < node.result_count; ++result) {
      text += (result == 0 ? " " : ", ") + text_of(plan[node.result(result)]);
    }
    text += "\n";
  }
  return text + "arena of " + std::to_string(plan.arena_bytes) + " bytes\n";
}

}  // namespace ddx::ir
