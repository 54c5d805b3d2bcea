// Destructors and deleters that change a tensor: nothing is reported.

#include <ddx/ddx.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using F = ddx::Tensor<float>;

struct Guard {
  F& t;
  explicit Guard(F& x) : t(x) {}
  ~Guard() { t = ddx::zeros<float>({9, 9}); }
};

void destructor() {
  F a = ddx::zeros<float>({2, 3});
  {
    const Guard g(a);
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void destructor_of_temporary() {
  F a = ddx::zeros<float>({2, 3});
  Guard{a};
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

struct Holder {
  Guard g;
  int n = 0;
};

void destructor_of_member() {
  F a = ddx::zeros<float>({2, 3});
  {
    Holder h{Guard(a)};
    (void)h;
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

struct GuardBase {
  F* t;
  ~GuardBase() { *t = ddx::zeros<float>({9, 9}); }
};

struct GuardDerived : GuardBase {};

void destructor_of_base() {
  F a = ddx::zeros<float>({2, 3});
  {
    GuardDerived g{{&a}};
    (void)g;
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void destructor_in_vector() {
  F a = ddx::zeros<float>({2, 3});
  {
    std::vector<std::unique_ptr<Guard>> v;
    v.push_back(std::make_unique<Guard>(a));
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void destructor_of_pointer() {
  F a = ddx::zeros<float>({2, 3});
  Guard* g = new Guard(a);
  delete g;
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void destructor_of_optional() {
  F a = ddx::zeros<float>({2, 3});
  {
    std::optional<GuardDerived> o(GuardDerived{{&a}});
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void destructor_of_capture() {
  F a = ddx::zeros<float>({2, 3});
  {
    auto f = [g = GuardDerived{{&a}}] { (void)g; };
    f();
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void take(GuardDerived g) {
  (void)g;
}

void destructor_of_parameter() {
  F a = ddx::zeros<float>({2, 3});
  take(GuardDerived{{&a}});
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

F make_guard(F& a) {
  GuardDerived g{{&a}};
  return ddx::zeros<float>({1});
}

void destructor_in_callee() {
  F a = ddx::zeros<float>({2, 3});
  (void)make_guard(a);
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void deleter() {
  F a = ddx::zeros<float>({2, 3});
  {
    std::shared_ptr<void> g(nullptr, [&](void*) { a = ddx::zeros<float>({9, 9}); });
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void deleter2() {
  F a = ddx::zeros<float>({2, 3});
  {
    auto d = [&](void*) { a = ddx::zeros<float>({9, 9}); };
    std::unique_ptr<F, decltype(d)> g(&a, d);
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void deleter3() {
  F a = ddx::zeros<float>({2, 3});
  {
    std::shared_ptr<F> g(&a, [](F* p) { *p = ddx::zeros<float>({9, 9}); });
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void deleter4() {
  F a = ddx::zeros<float>({2, 3});
  {
    std::shared_ptr<F> g;
    g.reset(&a, [](F* p) { *p = ddx::zeros<float>({9, 9}); });
    a = ddx::zeros<float>({2, 3});
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

struct Abstract {
  virtual ~Abstract() = default;
};

struct Concrete : Abstract {
  F* t;
  explicit Concrete(F& x) : t(&x) {}
  ~Concrete() override { *t = ddx::zeros<float>({9, 9}); }
};

void owned_base() {
  F a = ddx::zeros<float>({2, 3});
  {
    std::unique_ptr<Abstract> p = std::make_unique<Concrete>(a);
    a = ddx::zeros<float>({2, 3});
  }
  (void)ddx::matmul(a, ddx::zeros<float>({9, 1}));
}

void deleter5() {
  const F w = ddx::zeros<float>({9, 1});
  F a = ddx::zeros<float>({1});
  {
    std::shared_ptr<F> g(&a, [](F* p) { *p = ddx::zeros<float>({9, 9}); });
    a = ddx::zeros<float>({2, 3});
  }
  (void)ddx::matmul(a, w);
}

void deleter6() {
  const F w = ddx::zeros<float>({9, 1});
  F a = ddx::zeros<float>({1});
  const F c = ddx::zeros<float>({2, 3});
  {
    std::shared_ptr<F> g;
    g.reset(&a, [](F* p) { *p = ddx::zeros<float>({9, 9}); });
    a = c;
  }
  (void)ddx::matmul(a, w);
}

void deleter7() {
  F a = ddx::zeros<float>({1});
  const F c = ddx::zeros<float>({2, 3});
  {
    std::shared_ptr<F> g(&a, [](F* p) { *p = ddx::zeros<float>({9, 9}); });
    a = c;
  }
  const float q = a[ddx::Indices{5, 5}];
  (void)q;
}

void deleter8() {
  F a = ddx::zeros<float>({1});
  const F c = ddx::zeros<float>({2, 3});
  {
    std::shared_ptr<F> g;
    g.reset(&a, [](F* p) { *p = ddx::zeros<float>({9, 9}); });
    a = c;
  }
  const float q = a[ddx::Indices{5, 5}];
  (void)q;
}
