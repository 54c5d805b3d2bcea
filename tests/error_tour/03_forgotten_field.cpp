// A member that was forgotten
//
// Every member of a differentiable struct must be in one of the two lists, so that a member added
// later cannot lose its gradient.

#include <ddx/ddx.h>

struct Spring {
  double stiffness = 0;
  double length = 0;

  DDX_DIFFERENTIABLE(Spring, stiffness)
};

double energy(const Spring& spring) {
  return spring.stiffness * spring.length;
}

double by_stiffness(const Spring& spring) {
  return ddx::gradient(energy, spring).stiffness;
}
