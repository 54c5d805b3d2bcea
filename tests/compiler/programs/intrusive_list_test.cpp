// An intrusive doubly linked list with a sentinel: elements carry their hooks and change lists.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

struct Hook {
  Hook* previous = this;
  Hook* next = this;

  void unlink() {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }
  void link_before(Hook* other) {
    previous = other->previous;
    next = other;
    previous->next = this;
    next->previous = this;
  }
};

struct Job : Hook {
  double remaining = 0;
  double rate = 0;
};

Job* first(Hook* list) {
  return static_cast<Job*>(list->next);
}

/// Serves each job for `slice`, in turns, until all are done.
double intrusive_list(const std::vector<double>& demands, double slice) {
  std::array<Job, 5> jobs;
  Hook waiting;
  Hook done;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    jobs[i].remaining = demands[i];
    jobs[i].rate = 1 + 0.2 * std::sin(demands[i]);
    jobs[i].link_before(&waiting);
  }
  double clock = 0;
  double delay = 0;
  while (waiting.next != &waiting) {
    Job* const job = first(&waiting);
    job->unlink();
    const double needed = job->remaining / job->rate;
    if (needed <= slice) {
      clock += needed;
      delay += clock * clock;
      job->remaining = 0;
      job->link_before(&done);
    } else {
      clock += slice;
      job->remaining -= slice * job->rate;
      job->link_before(&waiting);
    }
  }
  for (Hook* h = done.previous; h != &done; h = h->previous) {
    delay = 0.9 * delay + static_cast<Job*>(h)->rate;
  }
  return delay;
}

DDX_CHECK_GRADIENT(intrusive_list, at(std::vector{0.9, 0.4, 1.3}, 0.5), at(std::vector{0.7}, 0.3),
                   at(std::vector{1.2, 0.2, 0.8, 1.7, 0.5}, 0.6))

}  // namespace
