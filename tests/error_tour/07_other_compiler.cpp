// No plugin in the compiler
// RUN-WITH: clang++-19 -std=c++20 -I include
//
// The headers are plain C++20 and compile with any compiler. A derivative needs the plugin; without
// it, one error names the way to compile the file.

#include <ddx/ddx.h>

int main() {
  return ddx::gradient([](double x) { return x * x; }, 3.0) == 6 ? 0 : 1;
}
