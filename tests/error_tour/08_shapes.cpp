// Shapes that do not fit
// RUN
//
// Shapes are checked when the operation is called, even if it runs later. The message has both
// shapes and your line. Operators such as `a + b` name it in programs with debug
// information (`-g`).

#include <cstdio>
#include <ddx/ddx.h>

int main() {
  const auto a = ddx::full<float>({2, 3}, 1);
  const auto b = ddx::full<float>({4, 5}, 1);
  try {
    const auto c = ddx::matmul(a, b);
  } catch (const ddx::UsageError& error) {
    std::puts(error.what());
    return 1;
  }
}
