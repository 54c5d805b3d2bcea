// Scopes that charge an account when they end: destructors compute, also while an exception passes.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Account {
  double balance;
  double interest;
};

class Charge {
 public:
  Charge(Account& account, double amount) : account_(account), amount_(amount) {}
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() { account_.balance -= amount_ * (1 + account_.interest * account_.balance); }
  void raise(double by) { amount_ += by; }

 private:
  Account& account_;
  double amount_;
};

struct Interrupted {};

double visit(Account& account, const std::vector<double>& costs, std::size_t i) {
  if (i == costs.size()) {
    return account.balance;
  }
  Charge charge(account, costs[i]);
  account.interest *= 1.1;
  if (costs[i] > 1) {
    throw Interrupted{};
  }
  const double below = visit(account, costs, i + 1);
  charge.raise(0.1 * below);
  return below * costs[i];
}

double scope_ledger(const std::vector<double>& costs, double balance, double interest) {
  Account account{balance, interest};
  double result = 0;
  try {
    const Charge fixed(account, 0.2 * balance);
    result = visit(account, costs, 0);
  } catch (const Interrupted&) {
    result = 0.3 * account.balance * account.interest;
  }
  return result + account.balance * account.balance;
}

DDX_CHECK_GRADIENT(scope_ledger, at(std::vector{0.5, 0.2, 0.9}, 2.0, 0.05),
                   at(std::vector{0.3, 1.4, 0.6}, 1.5, 0.2), at(std::vector<double>{}, 0.8, 0.1))

}  // namespace
