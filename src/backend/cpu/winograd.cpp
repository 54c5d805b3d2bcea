#include "backend/cpu/winograd.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/pairs.h"

#include <cstdint>

namespace ddx::backend::cpu {
namespace {

/// Two axes, 3 x 3 taps in steps of one.
bool has_its_window(const ops::WindowAttributes& w) noexcept {
  return w.axes == 2 && w.groups == 1 && w.size[0] == 3 && w.size[1] == 3 && w.strides[0] == 1 &&
         w.strides[1] == 1 && w.dilations[0] == 1 && w.dilations[1] == 1;
}

/// The arrays of a convolution or of its gradients: what it goes over, and what it makes.
struct Images {
  Images(ops::Op op, const ops::Call& call) noexcept
      : from(call.input(0).shape()),
        to(op == ops::Op::convolution_filter_gradient ? call.input(1).shape()
                                                      : call.output().shape()) {}

  Shape from;
  Shape to;
};

/// Whether the transforms can be made and a tile is worth them.
bool can_be_tiled(const Images& images, const ops::WindowAttributes& window) noexcept {
  constexpr std::int64_t vector = 16;
  if (!has_its_window(window) || images.from.count() == 0 || images.to.count() == 0) {
    return false;
  }
  const std::int64_t tiles = (images.to[1] + 1) / 2 * ((images.to[2] + 1) / 2);
  // A tile takes 16 products instead of 9 for each result, and transforms on top.
  const bool fills_tiles = 9 * images.to[1] * images.to[2] >= 24 * tiles;
  const std::int64_t products = images.from[0] * tiles * images.from[3] * images.to[3];
  return images.from[3] % vector == 0 && images.to[3] % vector == 0 && fills_tiles &&
         products >= (1 << 16);
}

}  // namespace

bool winograd_is_faster(ops::Op op, const ops::Call& call) noexcept {
  const bool is_for_bf16 = call.output().dtype() == DType::bf16 && has_pairs();
  return !is_for_bf16 && can_be_tiled(Images(op, call), call.attributes<ops::WindowAttributes>());
}

bool winograd_by_pairs_is_faster(ops::Op op, const ops::Call& call) noexcept {
  return can_be_tiled(Images(op, call), call.attributes<ops::WindowAttributes>()) &&
         pairs_are_fastest();
}

}  // namespace ddx::backend::cpu
