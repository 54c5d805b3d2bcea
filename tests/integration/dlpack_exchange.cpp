// A library that hands tensors over and takes them, for dlpack_exchange_test.py.

#include "ddx/tensor/dlpack.h"
#include "ddx/tensor/tensor.h"

namespace {

template <class Handle>
double weighted_sum(void* managed, const void** place) {
  const auto x = ddx::from_dlpack<float>(Handle(static_cast<typename Handle::pointer>(managed)));
  *place = x.elements().data();
  double total = 0;
  double weight = 1;
  for (const float element : x.elements()) {
    total += weight++ * static_cast<double>(element);
  }
  return total;
}

}  // namespace

extern "C" {

/// [[1, 2, 3], [4, 5, 6]] in float, as DLPack 0.x.
void* make_old() {
  return ddx::to_dlpack(ddx::Tensor<float>{{1, 2, 3}, {4, 5, 6}}).release();
}
/// [[1, 2], [3, 4]] in double, as DLPack 1.x.
void* make_versioned() {
  return ddx::to_versioned_dlpack(ddx::Tensor<double>{{1, 2}, {3, 4}}).release();
}

/// The sum of 1, 2, ... times the elements in row-major order, and where these lie.
double take_old(void* managed, const void** place) {
  return weighted_sum<ddx::Dlpack>(managed, place);
}
double take_versioned(void* managed, const void** place) {
  return weighted_sum<ddx::VersionedDlpack>(managed, place);
}
}
