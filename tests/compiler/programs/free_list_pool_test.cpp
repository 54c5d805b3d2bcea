// A pool of slots: a free slot holds a link where a used one holds reals; walkers live and die.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Walker {
  double position;
  double weight;
};

union Slot {
  Walker walker;
  Slot* next_free;
};

class Pool {
 public:
  Pool() {
    for (Slot& slot : slots_) {
      slot.next_free = free_;
      free_ = &slot;
    }
  }
  Walker* take(double position, double weight) {
    Slot* const slot = free_;
    free_ = slot->next_free;
    slot->walker = Walker{position, weight};
    return &slot->walker;
  }
  void give(Walker* walker) {
    Slot* const slot = reinterpret_cast<Slot*>(walker);
    slot->next_free = free_;
    free_ = slot;
  }

 private:
  Slot slots_[6];
  Slot* free_ = nullptr;
};

double free_list_pool(const std::vector<double>& moves, double decay) {
  Pool pool;
  std::vector<Walker*> alive{pool.take(0.1, 1)};
  double score = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    for (Walker* w : alive) {
      w->position += moves[i] * w->weight;
      w->weight *= std::exp(-decay * w->position * w->position);
      score += w->weight * w->position;
    }
    if (i % 2 == 0) {
      alive.push_back(pool.take(alive.front()->position + 0.5, 0.5 * alive.front()->weight));
    } else {
      score += 0.3 * alive.front()->weight;
      pool.give(alive.front());
      alive.erase(alive.begin());
    }
  }
  for (Walker* w : alive) {
    score = score * 0.8 + w->position;
    pool.give(w);
  }
  return score;
}

DDX_CHECK_GRADIENT(free_list_pool, at(std::vector{0.5, -0.3, 0.8, 0.4}, 0.3),
                   at(std::vector{1.1, 0.2, -0.6}, 0.7),
                   at(std::vector{0.3, 0.1, 0.2, 0.6, -0.4, 0.9}, 0.1))

}  // namespace
