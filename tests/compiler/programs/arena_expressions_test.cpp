// Expression nodes placed into a bump arena of bytes: all are released at once.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <new>

namespace {

class Arena {
 public:
  template <class T, class... Args>
  T* make(Args... args) {
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    void* const at = bytes_.data() + used_;
    used_ += sizeof(T);
    return ::new (at) T{args...};
  }
  void reset() { used_ = 0; }

 private:
  alignas(std::max_align_t) std::array<std::byte, 1024> bytes_{};
  std::size_t used_ = 0;
};

struct Expression {
  char operation;
  double value;
  const Expression* left;
  const Expression* right;
};

double evaluate(const Expression* e) {
  switch (e->operation) {
    case '+':
      return evaluate(e->left) + evaluate(e->right);
    case '*':
      return evaluate(e->left) * evaluate(e->right);
    case 's':
      return std::sin(evaluate(e->left));
    default:
      return e->value;
  }
}

const Expression* power(Arena& arena, const Expression* base, int exponent) {
  const Expression* result = arena.make<Expression>('c', 1.0, nullptr, nullptr);
  for (int i = 0; i < exponent; ++i) {
    result = arena.make<Expression>('*', 0.0, result, base);
  }
  return result;
}

double arena_expressions(double x, double y, int exponent) {
  Arena arena;
  const auto* a = arena.make<Expression>('v', x, nullptr, nullptr);
  const auto* b = arena.make<Expression>('v', y, nullptr, nullptr);
  const auto* s = arena.make<Expression>('s', 0.0, b, nullptr);
  const auto* sum = arena.make<Expression>('+', 0.0, power(arena, a, exponent), s);
  const double first = evaluate(sum);
  arena.reset();
  auto* c = arena.make<Expression>('v', first, nullptr, nullptr);
  c->value += x * y;
  return evaluate(power(arena, c, 2));
}

DDX_CHECK_GRADIENT(arena_expressions, at(0.7, 1.2, 3), at(-0.5, 0.4, 2), at(1.1, -0.8, 0))

}  // namespace
