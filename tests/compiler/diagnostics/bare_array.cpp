// The elements of a tensor outside of it are lost; its shape is made of integers.
#include "ddx/ad.h"
#include "ddx/tensor.h"

#include <vector>

float f(const ddx::Tensor<float>& x) {
  std::vector<ddx::Tensor<float>> kept;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an argument of type 'ddx::detail::Array' that active values enter}}
  kept.emplace_back(x.array());
#else
  kept.push_back(x);
#endif
  const ddx::Shape shape = x.shape();
  return ddx::sum(kept[0] * kept[0]).item() / static_cast<float>(shape[0]);
}

const auto slope = ddx::gradient(f, ddx::ones<float>({3}));  // expected-note {{derivative requested here}}
