// The body of a scan may be recorded, and runs again on the way back, so it must change nothing.
#include "ddx/ad.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/scan.h"

#include <tuple>

using Reals = ddx::Tensor<float>;

Reals f(const Reals& x) {
  Reals seen = x;
  const auto body = [&](const Reals& carry, const std::tuple<>&) {
#ifndef ACCEPTED
    seen = carry;
#endif
    return carry * seen;
  };
  return ddx::scan(body, x, std::tuple<>(), {.turns = 3});  // expected-error {{a cond, scan, while_loop or vmap whose functions change or capture objects}}
}

const Reals slope = ddx::gradient(f, Reals(2.0F));  // expected-note {{derivative requested here}}
