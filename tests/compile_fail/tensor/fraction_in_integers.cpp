// error: a tensor of integers or truth values cannot hold a number with a fraction
#include "ddx/tensor.h"

#include <cstdint>

int main() {
  ddx::Tensor<std::uint8_t> pixels{1, 2};
#ifdef DDX_OFFENDING
  pixels += 0.5F;
  pixels = ddx::pad(pixels, {1}, {1}, 2.5);
  pixels = ddx::full<std::uint8_t>({2}, ddx::Half(0.5F));
#else
  pixels += 1;
#endif
}
