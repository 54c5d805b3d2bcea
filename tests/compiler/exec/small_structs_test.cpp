// Small structs of reals and integers that pass by value: Clang passes them as integers, in which
// functions change the integers beside the reals. Each function calls itself, so that none is
// inlined.

#include "gradient_check.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

bool is_endless = false;

struct Count {
  float x;
  int n;
};

Count stepped(Count a) {
  if (is_endless) {
    return stepped(a);
  }
  a.n++;
  return a;
}

Count squared(Count a, int n) {
  if (is_endless) {
    return squared(a, n);
  }
  a.n = n;
  a.x *= a.x;
  return a;
}

Count exchanged(Count a, bool exchanges) {
  if (is_endless) {
    return exchanged(a, exchanges);
  }
  Count b{a.x * 2, a.n + 2};
  if (exchanges) {
    std::swap(a, b);
  }
  return a;
}

struct First {
  int n;
  float x;
};

First stepped(First a) {
  if (is_endless) {
    return stepped(a);
  }
  a.n++;
  a.x *= a.x;
  return a;
}

struct Pair {
  float x, y;
  int n;
};

Pair stepped(Pair a) {
  if (is_endless) {
    return stepped(a);
  }
  a.n++;
  a.x *= a.y;
  a.y = a.x + a.y;
  return a;
}

struct Tagged {
  float x;
  short n;
  char c;
};

Tagged stepped(Tagged a) {
  if (is_endless) {
    return stepped(a);
  }
  a.n++;
  a.c--;
  a.x *= a.x;
  return a;
}

struct Fields {
  float x;
  unsigned n : 5;
  unsigned m : 12;
};

Fields stepped(Fields a) {
  if (is_endless) {
    return stepped(a);
  }
  a.n++;
  a.m += 3;
  a.x *= a.x;
  return a;
}

/// It returns as two integers.
struct Twice {
  float x;
  int n;
  float y;
  int m;
};

Twice stepped(Twice a) {
  if (is_endless) {
    return stepped(a);
  }
  a.n++;
  a.m--;
  a.x *= a.y;
  return a;
}

/// As a vector of two floats, and an integer.
struct Triple {
  float x, y, z;
  int n;
};

Triple stepped(Triple a) {
  if (is_endless) {
    return stepped(a);
  }
  a.n++;
  a.z *= a.x;
  return a;
}

struct Wide {
  long n;
  double x;
};

Wide stepped(Wide a) {
  if (is_endless) {
    return stepped(a);
  }
  a.n++;
  a.x *= a.x;
  return a;
}

float of_counts(float x) {
  const Count a = stepped(Count{x * x, 3});
  const Count b = squared(Count{x * x, 3}, 7);
  const Count c = exchanged(Count{x * x, 2}, x > 0);
  return a.x * static_cast<float>(a.n) + b.x * static_cast<float>(b.n) +
         c.x * static_cast<float>(c.n);
}
DDX_CHECK_GRADIENT_FLOAT(of_counts, at(0.7F), at(-0.4F), at(1.2F))

float of_integers_first(float x) {
  const First a = stepped(First{2, x});
  return a.x * static_cast<float>(a.n);
}
DDX_CHECK_GRADIENT_FLOAT(of_integers_first, at(0.7F), at(-0.4F), at(1.2F))

float of_pairs(float x, float y) {
  const Pair a = stepped(stepped(Pair{x, y, 3}));
  return a.x * static_cast<float>(a.n) + a.y;
}
DDX_CHECK_GRADIENT_FLOAT(of_pairs, at(0.7F, 0.4F), at(-0.4F, 1.2F), at(1.0F, 0.3F))

float of_tags(float x) {
  const Tagged a = stepped(stepped(Tagged{x, 3, 'd'}));
  return a.x * static_cast<float>(a.n) + static_cast<float>(a.c);
}
DDX_CHECK_GRADIENT_FLOAT(of_tags, at(0.7F), at(-0.4F), at(0.0F))

float of_fields(float x) {
  const Fields a = stepped(Fields{x, 3, 4});
  return a.x * static_cast<float>(a.n) + static_cast<float>(a.m);
}
DDX_CHECK_GRADIENT_FLOAT(of_fields, at(0.7F), at(-0.4F), at(1.2F))

float of_two_integers(float x, float y) {
  const Twice a = stepped(Twice{x, 3, y, 5});
  return a.x * static_cast<float>(a.n) + a.y * static_cast<float>(a.m);
}
DDX_CHECK_GRADIENT_FLOAT(of_two_integers, at(0.7F, 0.4F), at(-0.4F, 1.2F), at(1.0F, 0.3F))

float of_triples(float x, float y, float z) {
  const Triple a = stepped(Triple{x, y, z, 5});
  return a.x * static_cast<float>(a.n) + a.y * a.z;
}
DDX_CHECK_GRADIENT_FLOAT(of_triples, at(0.7F, 0.4F, 0.2F), at(-0.4F, 1.2F, 0.1F),
                         at(1.0F, -0.5F, 0.9F))

double of_doubles(double x) {
  const Wide a = stepped(Wide{3, x});
  return a.x * static_cast<double>(a.n);
}
DDX_CHECK_GRADIENT(of_doubles, at(0.7), at(-0.4), at(1.2))

/// In memory between the calls.
float of_containers(const std::vector<float>& x) {
  std::vector<Count> counts;
  std::array<Tagged, 4> tags{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    counts.push_back(stepped(Count{x[i] * x[i], static_cast<int>(i)}));
    tags[i] = stepped(Tagged{x[i], static_cast<short>(i), 'a'});
  }
  float sum = 0;
  for (const Count& one : counts) {
    sum += squared(one, one.n + 1).x * static_cast<float>(one.n);
  }
  for (const Tagged one : tags) {
    sum += stepped(one).x;
  }
  return sum;
}
DDX_CHECK_GRADIENT_FLOAT(of_containers, at(std::vector<float>{0.7F, 0.4F, -0.3F, 1}),
                         at(std::vector<float>{0.2F, 1.4F, 0.3F}), at(std::vector<float>{-0.5F}))

/// The second derivatives of floats are not checked elsewhere.
double slope_of_counts(double x) {
  const Count a = squared(stepped(Count{static_cast<float>(x), 3}), 4);
  return static_cast<double>(a.x) * a.n;
}

#ifdef __DDX__
TEST(DDX_SUITE, SecondDerivatives) {
  const double x = 0.5;  // 4 x²
  EXPECT_EQ(ddx::derivative([](double z) { return ddx::gradient(slope_of_counts, z); }, x), 8);
  EXPECT_EQ(ddx::gradient([](double z) { return ddx::derivative(slope_of_counts, z); }, x), 8);
  EXPECT_EQ(ddx::gradient([](double z) { return ddx::gradient(slope_of_counts, z); }, x), 8);
}
#endif

}  // namespace
