// A stack of raw storage: objects begin by placement new and end by a call of their destructor.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace {

struct Frame {
  Frame(double at, double scale) : origin(at), axis{scale, 1 - scale} {}
  ~Frame() { axis.clear(); }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  double origin;
  std::vector<double> axis;
};

template <class T, std::size_t n>
class Stack {
 public:
  Stack() = default;
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() {
    while (size_ > 0) {
      pop();
    }
  }
  template <class... Args>
  T& push(Args&&... args) {
    return *::new (static_cast<void*>(bytes_ + sizeof(T) * size_++)) T(args...);
  }
  void pop() {
    std::destroy_at(&top());
    --size_;
  }
  T& top() { return *std::launder(reinterpret_cast<T*>(bytes_ + sizeof(T) * (size_ - 1))); }

 private:
  alignas(T) std::byte bytes_[sizeof(T) * n];
  std::size_t size_ = 0;
};

double placement_stack(const std::vector<double>& turns, double start) {
  Stack<Frame, 8> frames;
  frames.push(start, 0.4);
  double sum = 0;
  for (const double t : turns) {
    const double parent = frames.top().origin;
    Frame& frame = frames.push(parent * std::cos(t) + t, 0.3 * t);
    frame.axis.push_back(frame.origin * start);
    for (const double a : frame.axis) {
      sum = 0.9 * sum + a * frame.origin;
    }
    if (parent > 0.5) {
      frames.pop();
      frames.top().origin *= 0.5;
    }
  }
  return sum + frames.top().origin;
}

DDX_CHECK_GRADIENT(placement_stack, at(std::vector{0.3, -0.4, 0.9}, 0.8),
                   at(std::vector{0.2, 0.6, 0.1, 0.5}, 0.3), at(std::vector{1.1}, -0.7))

}  // namespace
