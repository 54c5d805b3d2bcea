// A singly linked list that owns its nodes: pushed, reversed, and folded.

#include "gradient_check.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace {

struct Link {
  double value;
  std::unique_ptr<Link> next;
};

class List {
 public:
  void push_front(double value) {
    auto link = std::make_unique<Link>();
    link->value = value;
    link->next = std::move(head_);
    head_ = std::move(link);
  }
  void reverse() {
    std::unique_ptr<Link> done;
    while (head_) {
      std::unique_ptr<Link> rest = std::move(head_->next);
      head_->next = std::move(done);
      done = std::move(head_);
      head_ = std::move(rest);
    }
    head_ = std::move(done);
  }
  [[nodiscard]] double horner(double x) const {
    double s = 0;
    for (const Link* l = head_.get(); l != nullptr; l = l->next.get()) {
      s = s * x + l->value;
    }
    return s;
  }

 private:
  std::unique_ptr<Link> head_;
};

double linked_list(const std::vector<double>& c, double x) {
  List list;
  for (const double v : c) {
    list.push_front(v * v);
  }
  const double forwards = list.horner(x);
  list.reverse();
  return forwards * list.horner(std::sin(x));
}

DDX_CHECK_GRADIENT(linked_list, at(std::vector{0.5, -0.2, 0.9}, 0.8), at(std::vector{1.2}, -0.5),
                   at(std::vector{0.3, 0.6, -0.4, 1.1}, 1.3))

}  // namespace
