#include "ddx/ad/detail/dependency_record.h"

#include <algorithm>
#include <utility>

namespace ddx::detail {

using Vertex = DependencyRecord::Vertex;

Vertex DependencyRecord::add(Kind kind, Vertex a, Vertex b) {
  operations_.push_back({kind, a, b});
  return operations_.size() - 1;
}

Vertex DependencyRecord::input() {
  return add(Kind::Input, inputs_++, constant);
}

Vertex DependencyRecord::sum(Vertex a, Vertex b) {
  if (a == constant || a == b) {
    return b;
  }
  return b == constant ? a : add(Kind::Sum, a, b);
}

Vertex DependencyRecord::product(Vertex a, Vertex b) {
  if (a == constant || b == constant) {
    return a == constant ? b : a;
  }
  return add(Kind::Product, a, b);
}

Vertex DependencyRecord::quotient(Vertex a, Vertex b) {
  if (a == constant || b == constant) {
    return a == constant ? curved(b, constant) : a;
  }
  return add(Kind::Quotient, a, b);
}

Vertex DependencyRecord::curved(Vertex a, Vertex b) {
  return a == constant && b == constant ? constant : add(Kind::Curved, a, b);
}

/// The sets of inputs that vertices depend on, each found by a walk towards the inputs that ends
/// where a set is known.
class DependencyRecord::InputSets {
 public:
  explicit InputSets(const std::vector<Operation>& operations, std::size_t inputs)
      : operations_(operations), seen_(operations.size()), taken_(inputs) {}

  /// Returns the inputs that `vertex` depends on, in rising order.
  std::vector<std::size_t> find(Vertex vertex) {
    ++walk_;
    found_.clear();
    waiting_.assign(1, vertex);
    while (!waiting_.empty()) {
      const Vertex next = waiting_.back();
      waiting_.pop_back();
      visit(next);
    }
    std::sort(found_.begin(), found_.end());
    return found_;
  }

  /// The same, and keeps the set for walks that come across.
  const std::vector<std::size_t>& keep(Vertex vertex) {
    if (number_.empty()) {
      number_.resize(operations_.size());
    }
    if (number_[vertex] == 0) {
      kept_.push_back(find(vertex));
      number_[vertex] = kept_.size();
    }
    return kept_[number_[vertex] - 1];
  }

 private:
  void visit(Vertex vertex) {
    if (vertex == constant || std::exchange(seen_[vertex], walk_) == walk_) {
      return;
    }
    if (!number_.empty() && number_[vertex] != 0) {
      for (const std::size_t input : kept_[number_[vertex] - 1]) {
        take(input);
      }
      return;
    }
    const Operation& operation = operations_[vertex];
    if (operation.kind == Kind::Input) {
      take(operation.a);
      return;
    }
    waiting_.push_back(operation.a);
    waiting_.push_back(operation.b);
  }

  void take(std::size_t input) {
    if (std::exchange(taken_[input], walk_) != walk_) {
      found_.push_back(input);
    }
  }

  const std::vector<Operation>& operations_;
  std::vector<std::size_t> seen_;    ///< The last walk that came to a vertex.
  std::vector<std::size_t> taken_;   ///< The last walk that found an input.
  std::vector<std::size_t> number_;  ///< Of the kept set of a vertex, from 1.
  std::vector<std::vector<std::size_t>> kept_;
  std::vector<std::size_t> found_;
  std::vector<Vertex> waiting_;
  std::size_t walk_ = 0;
};

SparsityPattern DependencyRecord::jacobian(const std::vector<Vertex>& results) const {
  InputSets sets(operations_, inputs_);
  std::vector<MatrixPlace> places;
  for (std::size_t row = 0; row < results.size(); ++row) {
    for (const std::size_t column : sets.find(results[row])) {
      places.push_back({row, column});
    }
  }
  return {results.size(), inputs_, places};
}

std::vector<bool> DependencyRecord::influences(Vertex result) const {
  std::vector<bool> reached(operations_.size());
  reached[result] = true;
  for (Vertex vertex = result; vertex > constant; --vertex) {
    const Operation& operation = operations_[vertex];
    if (reached[vertex] && operation.kind != Kind::Input) {
      reached[operation.a] = true;
      reached[operation.b] = true;
    }
  }
  return reached;
}

namespace {

/// Rows of a symmetric pattern, which are sorted now and then so that repetitions take no memory.
class SymmetricRows {
 public:
  explicit SymmetricRows(std::size_t count) : rows_(count), sorted_(count) {}

  /// Adds all pairs of one number of each set, both ways.
  void add(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    append(a, b);
    append(b, a);
  }

  [[nodiscard]] std::vector<MatrixPlace> places() const {
    std::vector<MatrixPlace> result;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (const std::size_t column : rows_[row]) {
        result.push_back({row, column});
      }
    }
    return result;
  }

 private:
  void append(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to) {
    for (const std::size_t at : from) {
      std::vector<std::size_t>& row = rows_[at];
      row.insert(row.end(), to.begin(), to.end());
      if (row.size() > 2 * sorted_[at] + 64) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        sorted_[at] = row.size();
      }
    }
  }

  std::vector<std::vector<std::size_t>> rows_;
  std::vector<std::size_t> sorted_;  ///< The length of each row when it was sorted.
};

}  // namespace

SparsityPattern DependencyRecord::hessian(Vertex result) const {
  const std::vector<bool> reached = influences(result);
  InputSets sets(operations_, inputs_);
  SymmetricRows rows(inputs_);
  for (Vertex vertex = 1; vertex <= result; ++vertex) {
    const Operation& operation = operations_[vertex];
    if (!reached[vertex] || operation.kind == Kind::Input || operation.kind == Kind::Sum) {
      continue;
    }
    const std::vector<std::size_t> a = sets.keep(operation.a);
    const std::vector<std::size_t> b = sets.keep(operation.b);
    if (operation.kind == Kind::Curved) {
      rows.add(a, a);
    }
    if (operation.kind != Kind::Product) {
      rows.add(b, b);
    }
    rows.add(a, b);
  }
  return {inputs_, inputs_, rows.places()};
}

}  // namespace ddx::detail
