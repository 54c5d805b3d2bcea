// A damaged data file
// RUN
//
// The message names the damaged or truncated file and the offset of the fault.

#include <cstdio>
#include <ddx/data/sets/mnist.h>
#include <fstream>
#include <iostream>

int main() {
  for (const char* name : {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"}) {
    std::ofstream(name) << "not an IDX file";
  }
  try {
    ddx::data::read_mnist(".");
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
    return 1;
  }
}
