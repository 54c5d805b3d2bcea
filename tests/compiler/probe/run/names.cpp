// Calls everything marked "probe" by the name that Names gives it, from the text of an entry.

#include <concepts>
#include <cstdio>
#include <cstring>
#include <ddx/ad.h>
#include <string>
#include <vector>

#define PROBE [[clang::annotate("probe")]]
#define SINK [[clang::annotate("sink")]]

namespace seen {

struct Line {
  std::string name;
  double value;
};
std::vector<Line> lines;

SINK void add(const char* name, double value) {
  lines.push_back({name, value});
}

}  // namespace seen

namespace overloads {

PROBE double f(double x) {
  return x;
}
PROBE double f(int x) {
  return 100 * x;
}

template <class T>
PROBE T doubled(T x) {
  return x * 2;
}

template <std::integral T>
PROBE T constrained(T x) {
  return x;
}
template <std::floating_point T>
PROBE T constrained(T x) {
  return x * 5;
}

template <class T>
[[clang::annotate("probe template")]] T tripled(T x) {
  return x * 3;
}

template <int N>
PROBE double power(double x) {
  if constexpr (N == 0) {
    return 1;
  } else {
    return x * power<N - 1>(x);
  }
}

}  // namespace overloads

namespace {

PROBE double anonymous(double x) {
  return x * 3;
}

}  // namespace

PROBE static double internal(double x) {
  return x * 4;
}

inline namespace v1 {

PROBE double versioned(double x) {
  return x * 9;
}

}  // namespace v1

// The aliases must survive macros with their first choice of name.
PROBE double taken(double x) {
  return x * 10;
}
#define taken no_such_name
#define versioned no_such_name

class Private {
  PROBE static double secret(double x) { return x * 7; }
  PROBE double member(double x) const { return x * factor_; }
  PROBE double operator()(double x) const { return x + 1; }
  PROBE double operator[](int x) const { return x + 2; }
  PROBE operator double() const { return 11; }
  PROBE static inline double counter = 12;
  struct Hidden {
    PROBE double inner(double x) const { return x * 13; }
  };
  double factor_ = 6;

 public:
  static double use() { return secret(1) + Private().member(1) + Hidden().inner(1) + counter; }
  PROBE friend double hidden_friend(double x) { return x * 8; }
};

struct Base {
  virtual ~Base() = default;
  PROBE virtual double dispatched(double x) const { return x; }
  PROBE double overloaded(double x) { return x * 14; }
  double overloaded(int) { return 0; }
};
struct Derived : Base {
  double dispatched(double x) const override { return x * 15; }
  double overloaded(float) { return 0; }
};

template <class T>
struct Box {
  T value = 16;
  PROBE T boxed() const { return value; }
  template <class U>
  PROBE U cast() const {
    return static_cast<U>(value);
  }
};

template <class T>
PROBE constexpr T constant = T(17);

static double call_extern() {
  PROBE double declared_in_a_block(double x) __asm__("fabs");
  return declared_in_a_block(1);
}

namespace {

PROBE int counted = 18;

double call_local() {
  PROBE static double local_static = 19;
  struct Local {
    PROBE double of_local(double x) const { return x * 20; }
  };
  return Local().of_local(1) + local_static;
}

template <class T, int N, bool... Flags>
PROBE constexpr T many = T(N + static_cast<int>(sizeof...(Flags)));

struct [[clang::annotate("nested")]] Nested {
  double operator()(double x) const { return x; }
};

int failures = 0;

void expect(const char* name, std::vector<double> values) {
  std::vector<double> found;
  for (const seen::Line& line : seen::lines) {
    if (line.name == name) {
      found.push_back(line.value);
    }
  }
  if (found != values) {
    std::printf("%s:", name);
    for (const double value : found) {
      std::printf(" %g", value);
    }
    std::printf("\n");
    ++failures;
  }
}

struct Closures {
  double field = 21;
  auto make() {
    return [this, &reference = field, copy = field + 1](double x) {
      return x + field + reference + copy;
    };
  }
};

template <class... Numbers>
auto pack(Numbers... numbers) {
  return [numbers...](double x) { return (x + ... + numbers); };
}

}  // namespace

int main() {
  overloads::doubled(1.0);
  overloads::doubled(1.0f);
  overloads::constrained(1.0);
  overloads::constrained(1);
  overloads::power<2>(1.0);
  Private::use();
  Box<double>().boxed();
  Box<double>().cast<int>();
  call_local();
  call_extern();
  if (constant<double> + many<double, -3, true, false> + internal(1) + anonymous(1) +
          Derived().dispatched(1) + counted <
      0) {
    return 1;
  }

  if (ddx::value_with_gradient(Nested{}, 2.0).value != 2) {
    return 2;
  }
  expect("overloads::f", {3, 300});
  expect("overloads::doubled", {6, 6});
  expect("overloads::constrained", {3, 15});
  expect("overloads::tripled", {9});
  expect("overloads::power", {9, 3, 1});
  expect("(anonymous namespace)::anonymous", {9});
  expect("internal", {12});
  expect("versioned", {27});
  expect("taken", {30});
  expect("nested", {42});
  expect("Private::secret", {21});
  expect("Private::member", {18});
  expect("Private::operator()", {4});
  expect("Private::operator[]", {5});
  expect("Private::operator double", {11});
  expect("Private::counter", {12});
  expect("Private::Hidden::inner", {39});
  expect("hidden_friend", {24});
  expect("Base::dispatched", {3});
  expect("Base::overloaded", {42});
  expect("Box<double>::boxed", {16});
  expect("Box<double>::cast", {16});
  expect("constant", {17});
  expect("(anonymous namespace)::counted", {18});
  expect("(anonymous namespace)::many", {-1});
  expect("declared_in_a_block", {3});
  expect("local_static", {19});
  expect("(anonymous namespace)::call_local()::Local::of_local", {60});

  seen::lines.clear();
  Closures closures;
  if (ddx::value_with_gradient(closures.make(), 2.0).value != 66) {
    return 3;
  }
  expect("cap_this", {1});
  expect("cap_reference", {21});
  expect("cap_copy", {22});

  seen::lines.clear();
  if (ddx::value_with_gradient(pack(23.0, 24.0), 2.0).value != 49) {
    return 4;
  }
  expect("cap_numbers", {23});
  expect("cap_numbers_2", {24});
  return failures;
}
