// A queue of customers, simulated by events in the order of their times, with a log.

#include "gradient_check.h"

#include <cmath>
#include <cstdio>
#include <queue>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Event {
  double time;
  int customer;
  bool arrives;
  bool operator<(const Event& other) const { return time > other.time; }
};

class Log {
 public:
  void note(const std::string& what, int customer) {
    std::ostringstream line;
    line << what << " #" << customer;
    lines_.push_back(line.str());
  }
  [[nodiscard]] std::size_t size() const { return lines_.size(); }

 private:
  std::vector<std::string> lines_;
};

double event_loop(double interval, double service, int customers) {
  std::priority_queue<Event> events;
  Log log;
  double at = 0;
  for (int c = 0; c < customers; ++c) {
    at += interval * (1 + 0.3 * std::sin(c));
    events.push({at, c, true});
  }
  double free_at = 0;
  double waited = 0;
  while (!events.empty()) {
    const Event event = events.top();
    events.pop();
    if (event.arrives) {
      const double start = event.time < free_at ? free_at : event.time;
      waited += (start - event.time) * (start - event.time);
      free_at = start + service * (1 + 0.2 * std::cos(event.customer));
      events.push({free_at, event.customer, false});
      log.note("arrives", event.customer);
    } else {
      log.note("leaves", event.customer);
      waited = 0.95 * waited + 0.01 * event.time;
    }
  }
  return waited + 0.001 * static_cast<double>(log.size()) * free_at;
}

DDX_CHECK_GRADIENT(event_loop, at(0.5, 0.8, 5), at(0.9, 0.7, 4), at(0.3, 1.1, 1))

}  // namespace
