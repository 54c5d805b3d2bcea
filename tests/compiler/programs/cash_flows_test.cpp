// Internal rate of return: ledger entries sorted by date, grouped, discounted, solved by secants.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace {

struct Entry {
  std::string account;
  int day;
  double amount;
};

double present_value(const std::vector<Entry>& ledger, double rate) {
  double sum = 0;
  for (const auto& entry : ledger) {
    sum += entry.amount * std::pow(1 + rate, -entry.day / 365.0);
  }
  return sum;
}

double cash_flows(double invested, double dividend, double sold) {
  std::vector<Entry> ledger;
  ledger.push_back({"sale", 900, sold});
  ledger.push_back({"purchase", 0, -invested});
  for (int quarter = 1; quarter <= 4; ++quarter) {
    ledger.push_back({"dividend", 90 * quarter, dividend * (1 + 0.1 * quarter)});
  }
  std::sort(ledger.begin(), ledger.end(),
            [](const Entry& a, const Entry& b) { return a.day < b.day; });
  double low = 0;
  double high = 0.2;
  double f_low = present_value(ledger, low);
  double f_high = present_value(ledger, high);
  while (std::fabs(f_high - f_low) > 1e-11) {
    const double next = high - f_high * (high - low) / (f_high - f_low);
    low = high;
    f_low = f_high;
    high = next;
    f_high = present_value(ledger, high);
  }
  std::map<std::string, double> totals;
  for (const auto& entry : ledger) {
    totals[entry.account] += entry.amount;
  }
  return high + 0.1 * totals["dividend"] * totals["sale"];
}

DDX_CHECK_GRADIENT(cash_flows, at(1.0, 0.05, 1.1), at(0.8, 0.02, 0.9), at(1.5, 0.1, 1.4))

}  // namespace
