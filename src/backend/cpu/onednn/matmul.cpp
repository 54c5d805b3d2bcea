#include "backend/cpu/onednn/matmul.h"

#include "ddx/core/float16.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/matmul.h"

#include "backend/cpu/onednn/library.h"
#include "backend/cpu/onednn/primitive.h"
#include "backend/cpu/pairs.h"
#include "backend/cpu/pool.h"
#include "core/detail/thread_object.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>

namespace ddx::backend::cpu {
namespace {

/// A matrix in memory: its extents, and the steps from row to row and from column to column.
struct Matrix {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t row_step;
  std::int64_t column_step;

  friend auto operator<=>(const Matrix&, const Matrix&) = default;
};

/// A matrix in rows of its own, or the transposed one of such.
Matrix matrix(std::int64_t rows, std::int64_t columns, bool transposed) noexcept {
  return transposed ? Matrix{rows, columns, 1, rows} : Matrix{rows, columns, columns, 1};
}

bool describe(dnnl_memory_desc_t& desc, const Matrix& m) noexcept {
  const std::array dims{m.rows, m.columns};
  const std::array strides{m.row_step, m.column_step};
  return onednn()->memory_desc_init_by_strides(&desc, 2, dims.data(), dnnl_bf16, strides.data()) ==
         dnnl_success;
}

/// What makes one primitive differ from another: the operands and the result.
using ProductKey = std::array<Matrix, 3>;

/// The product of two such matrices: made at its first use on this thread. Null where oneDNN
/// cannot, or there is no memory.
Callable* plan_of(const ProductKey& key) noexcept {
  // Plans of more shapes than this are not kept: programs with so many make new ones all the time.
  constexpr std::size_t most_plans = 512;
  using Plans = std::map<ProductKey, Callable>;
  Plans* const of_this_thread = ddx::detail::ThreadObject<Plans>::get();
  if (of_this_thread == nullptr) {
    return nullptr;  // The thread ends.
  }
  Plans& plans = *of_this_thread;
  if (const auto found = plans.find(key); found != plans.end()) {
    return &found->second;
  }
  const OneThread alone;
  dnnl_memory_desc_t a;
  dnnl_memory_desc_t b;
  dnnl_memory_desc_t y;
  dnnl_matmul_desc_t product;
  dnnl_primitive_desc_t made = nullptr;
  if (!describe(a, key[0]) || !describe(b, key[1]) || !describe(y, key[2]) ||
      onednn()->matmul_desc_init(&product, &a, &b, nullptr, &y) != dnnl_success ||
      onednn()->primitive_desc_create(&made, &product, nullptr, onednn()->engine, nullptr) !=
          dnnl_success) {
    return nullptr;
  }
  const PrimitiveDesc desc(made);
  const std::array arguments{Argument{DNNL_ARG_SRC, a}, Argument{DNNL_ARG_WEIGHTS, b},
                             Argument{DNNL_ARG_DST, y}};
  try {
    if (plans.size() >= most_plans) {
      plans.clear();
    }
    Callable& plan = plans.try_emplace(key, desc.get(), arguments).first->second;
    if (plan) {
      return &plan;
    }
    plans.erase(key);
  } catch (const std::bad_alloc&) {
    plans.clear();
  }
  return nullptr;
}

ops::MatmulExtents extents_of(const ops::Call& call) noexcept {
  return ops::matmul_extents(call.input(0).shape(), call.input(1).shape(),
                             call.attributes<ops::MatmulAttributes>());
}

/// The largest number of equal parts, at most `most`, that so many rows or columns fall into.
std::int64_t equal_parts(std::int64_t count, std::int64_t most) noexcept {
  std::int64_t parts = std::max<std::int64_t>(most, 1);
  while (count % parts != 0) {
    --parts;
  }
  return parts;
}

/// The parts that a product is computed in, from the extents alone; all are equally large, so that
/// they share a plan. oneDNN packs the right operand again for each, so parts are few, and have 256
/// rows where there are as many: with 64 parts of 32 rows, products of 2048 x 256 x 1024 took a
/// third longer. Narrow ones share the columns.
struct Parts {
  explicit Parts(const ops::MatmulExtents& e) noexcept {
    const std::int64_t work = e.rows * e.inner * e.columns;
    const std::int64_t most = std::max(std::min<std::int64_t>(work >> 24, 4), work >> 27);
    rows = equal_parts(e.rows, std::min(most, e.rows / 256));
    columns = equal_parts(e.columns, std::min(most / rows, e.columns / 128));
  }

  std::int64_t rows;
  std::int64_t columns;
};

}  // namespace

bool multiply_by_onednn(const ops::Call& call) noexcept {
  const auto& attributes = call.attributes<ops::MatmulAttributes>();
  const ops::MatmulExtents e = extents_of(call);
  if (e.stack * e.rows * e.inner * e.columns == 0 || onednn() == nullptr) {
    return false;
  }
  const Parts parts(e);
  Matrix left = matrix(e.rows, e.inner, attributes.transpose_left);
  Matrix right = matrix(e.inner, e.columns, attributes.transpose_right);
  Matrix result = matrix(e.rows, e.columns, false);
  left.rows = result.rows = e.rows / parts.rows;
  right.columns = result.columns = e.columns / parts.columns;
  const ProductKey key{left, right, result};
  std::atomic<bool> done{true};
  for_each_chunk(e.stack * parts.rows * parts.columns, [&](std::int64_t i) {
    const std::int64_t s = i / (parts.rows * parts.columns);
    const std::int64_t row = i / parts.columns % parts.rows * left.rows;
    const std::int64_t column = i % parts.columns * right.columns;
    BFloat16* a = call.input(0).mutable_data<BFloat16>() +
                  (e.stacked_left ? s * e.rows * e.inner : 0) + row * left.row_step;
    BFloat16* b = call.input(1).mutable_data<BFloat16>() +
                  (e.stacked_right ? s * e.inner * e.columns : 0) + column * right.column_step;
    BFloat16* y = call.output().mutable_data<BFloat16>() + (s * e.rows + row) * e.columns + column;
    Callable* plan = plan_of(key);
    if (plan == nullptr || !(*plan)(std::array<void*, 3>{a, b, y})) {
      done = false;
    }
  });
  return done;
}

bool onednn_multiplies_faster(const ops::Call& call) noexcept {
  const ops::MatmulExtents e = extents_of(call);
  return has_pairs() && e.rows >= 16 && e.columns >= 16 &&
         e.rows * e.inner * e.columns >= (1 << 18);
}

}  // namespace ddx::backend::cpu
