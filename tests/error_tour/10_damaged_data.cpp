// A damaged data file
// RUN
//
// A file that is cut off, or is not what it should be, is named, with the place where it goes
// wrong.

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
