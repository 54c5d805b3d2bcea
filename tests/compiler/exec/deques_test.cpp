// std::deque at both ends; std::stack, std::queue and std::priority_queue, which are made of it.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <queue>
#include <stack>
#include <utility>
#include <vector>

namespace {

double both_ends(double x, double y) {
  std::deque<double> d;
  d.push_back(x);
  d.push_front(y);
  d.push_front(x * y);
  d.back() *= d.front();
  d[1] += d[0] * d[2];
  d.emplace_back(d.front() + 1);
  double& first = d.emplace_front(d[1] * x);
  first *= y;
  d.pop_back();
  double sum = 0.1;
  for (const double e : d) {
    sum = 0.7 * sum + e * e * sum;
  }
  d.pop_front();
  return sum * d.front() * d.at(1);
}
DDX_CHECK_GRADIENT(both_ends, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double sliding(const std::vector<double>& x, std::size_t width) {
  std::deque<double> window;
  double sum = 0;
  for (const double e : x) {
    window.push_front(e * e);
    if (window.size() > width) {
      window.pop_back();
    }
    double weight = 1;
    for (std::size_t i = 0; i < window.size(); ++i) {
      sum += weight * window[i] * e;
      weight *= 0.5;
      window[i] *= 0.9;
    }
  }
  while (!window.empty()) {
    sum = 0.8 * sum + window.back() * window.front();
    window.pop_front();
  }
  return sum;
}
DDX_CHECK_GRADIENT(sliding, at(std::vector{0.5, 0.2, 0.7, -0.3}, std::size_t{2}),
                   at(std::vector<double>{}, std::size_t{2}),
                   at(std::vector{0.4, -0.3}, std::size_t{0}))

struct Body {
  double x;
  double v;
  int id = 0;
};

double of_structs(double x, int n) {
  std::deque<Body> bodies(1, Body{x, 1});
  double sum = x;
  for (int i = 0; i < n; ++i) {
    bodies.push_front({x * i, sum, i});
    bodies.back().x += 0.1 * bodies.back().v;
    if (bodies.size() == 3) {
      const Body last = bodies.back();
      bodies.pop_back();
      sum += last.x * last.v * last.id;
    }
    for (Body& b : bodies) {
      b.v -= 0.2 * b.x;
      sum = 0.9 * sum + b.x * b.v;
    }
  }
  const std::deque<Body> copy = bodies;
  bodies.clear();
  bodies = copy;
  return sum * bodies.front().x + bodies[0].v;
}
DDX_CHECK_GRADIENT(of_structs, at(0.7, 0), at(-0.3, 2), at(0.4, 6))

double of_vectors(double x, double y) {
  std::deque<std::vector<double>> d;
  d.push_front({x, y});
  d.push_front({x});
  d.front().push_back(x * y);
  d.push_back(std::vector<double>(3, y));
  double sum = 1;
  for (const auto& row : d) {
    for (const double e : row) {
      sum = 0.7 * sum + e * sum * x;
    }
  }
  d.pop_front();
  d.pop_back();
  return sum * d.front().back();
}
DDX_CHECK_GRADIENT(of_vectors, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

std::deque<double> shifted(std::deque<double> d, double by) {
  d.push_front(by);
  d.pop_back();
  return d;
}

double through_calls(const std::deque<double>& d, double by) {
  const auto once = shifted(d, by);
  const auto twice = shifted(once, by * once.front());
  double sum = 0;
  for (std::size_t i = 0; i < twice.size(); ++i) {
    sum = 0.6 * sum + twice[i] * twice[i] * once[i] * d[i];
  }
  return sum;
}
DDX_CHECK_GRADIENT(through_calls, at(std::deque{0.5, 0.2, 0.7}, 0.3), at(std::deque{0.5}, -0.4),
                   at(std::deque{0.4, -0.3}, 1.2))

double resized(double x, std::size_t n) {
  std::deque<double> d(n, x);
  d.resize(n + 2);
  d.front() *= x;
  d.back() = x * x;
  d.resize(n + 1);
  d.assign(n + 1, d.front() * x);
  double sum = 0;
  for (double& e : d) {
    e += sum * x;
    sum += e * e;
  }
  return sum;
}
DDX_CHECK_GRADIENT(resized, at(0.7, std::size_t{0}), at(-0.3, std::size_t{2}),
                   at(0.4, std::size_t{3}))

double stacked(double x, double y) {
  std::stack<double> s;
  s.push(x);
  s.push(y);
  s.top() *= x;
  s.emplace(s.top() + x);
  double sum = 0;
  while (!s.empty()) {
    sum = sum * 0.5 + s.top() * s.top() * static_cast<double>(s.size());
    s.pop();
  }
  return sum;
}
DDX_CHECK_GRADIENT(stacked, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double postfix(const std::vector<double>& tokens) {
  std::stack<double, std::vector<double>> s;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    s.push(tokens[i]);
    if (i % 2 == 1) {
      const double right = s.top();
      s.pop();
      const double left = s.top();
      s.pop();
      s.push(i % 4 == 1 ? left * right : left - right * right);
    }
  }
  double sum = 0;
  while (!s.empty()) {
    sum += s.top() * (1 + sum);
    s.pop();
  }
  return sum;
}
DDX_CHECK_GRADIENT(postfix, at(std::vector{0.5, 0.2, 0.7, -0.3, 0.9}), at(std::vector<double>{}),
                   at(std::vector{0.4, -0.3}))

double queued(double x, int n) {
  std::queue<std::pair<double, int>> q;
  q.push({x, 0});
  double sum = 0;
  while (!q.empty()) {
    const auto [value, depth] = q.front();
    q.pop();
    sum = 0.9 * sum + value * value;
    if (depth < n) {
      q.push({std::sin(value), depth + 1});
      q.emplace(value * x, depth + 1);
      q.back().first += 0.1 * sum;
    }
  }
  return sum;
}
DDX_CHECK_GRADIENT(queued, at(0.7, 0), at(-0.3, 2), at(0.4, 3))

struct Job {
  double time;
  double work;
  int id;
  bool operator<(const Job& other) const { return time > other.time; }
};

double by_priority(double x, double y, int n) {
  std::priority_queue<Job> jobs;
  for (int i = 0; i < n; ++i) {
    jobs.push({x * std::cos(2.0 * i), y * i, i});
  }
  double sum = 0;
  while (!jobs.empty()) {
    const Job job = jobs.top();
    jobs.pop();
    sum = 0.7 * sum + job.time * job.work * (job.id + 1);
    if (job.work > 0.1 && job.id < 20) {
      jobs.push({job.time + x * x, 0.5 * job.work, job.id + 10});
    }
  }
  return sum;
}
DDX_CHECK_GRADIENT(by_priority, at(0.7, 1.2, 0), at(0.3, 0.4, 5), at(1.1, 0.8, 9))

double smallest_first(const std::vector<double>& x) {
  std::priority_queue<double, std::vector<double>, std::greater<>> heap;
  for (const double e : x) {
    heap.push(e * e);
    if (heap.size() > 3) {
      heap.pop();
    }
  }
  double sum = 0;
  while (!heap.empty()) {
    sum = 0.5 * sum + heap.top() * (1 + sum);
    heap.pop();
  }
  return sum;
}
DDX_CHECK_GRADIENT(smallest_first, at(std::vector{0.5, 0.2, 0.7, -0.3, 0.9, 0.1}),
                   at(std::vector<double>{}), at(std::vector{0.4, -0.3}))

double heaps(const std::vector<double>& x) {
  std::vector<double> v = x;
  std::make_heap(v.begin(), v.end());
  v.push_back(0.35 * (v.empty() ? 1 : v.front()));
  std::push_heap(v.begin(), v.end());
  std::pop_heap(v.begin(), v.end());
  double sum = v.back();
  v.pop_back();
  std::make_heap(v.begin(), v.end(), std::greater<>{});
  std::sort_heap(v.begin(), v.end(), std::greater<>{});
  for (const double e : v) {
    sum = 0.6 * sum + e * e * sum;
  }
  return sum;
}
DDX_CHECK_GRADIENT(heaps, at(std::vector{0.5, 0.2, 0.7, -0.3, 0.9, 0.1, 1.3}),
                   at(std::vector<double>{}), at(std::vector{0.4, -0.3}))

class Filter {
 public:
  explicit Filter(double gain) : gain_(gain) {}
  double step(double x) {
    past_.push_back(gain_ * x);
    if (past_.size() > 2) {
      past_.pop_front();
    }
    double sum = 0;
    for (const double p : past_) {
      sum = 0.5 * sum + p;
    }
    return sum;
  }

 private:
  std::deque<double> past_;
  double gain_;
};

double as_a_member(const std::vector<double>& x, double gain) {
  Filter filter(gain);
  double sum = 0;
  for (const double e : x) {
    sum += filter.step(e) * filter.step(sum);
  }
  return sum;
}
DDX_CHECK_GRADIENT(as_a_member, at(std::vector{0.5, 0.2, 0.7}, 0.3), at(std::vector<double>{}, 0.4),
                   at(std::vector{0.4, -0.3}, -0.8))

}  // namespace
