// No plugin in the compiler
// RUN-WITH: clang++-19 -std=c++20 -I include
//
// The headers are plain C++20 and compile everywhere. Where a derivative is needed and the plugin
// is absent, one sentence says so.

#include <ddx/ddx.h>

int main() {
  return ddx::gradient([](double x) { return x * x; }, 3.0) == 6 ? 0 : 1;
}
