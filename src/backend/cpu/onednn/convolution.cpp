#include "backend/cpu/onednn/convolution.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/onednn/library.h"
#include "backend/cpu/onednn/primitive.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/scratch.h"
#include "core/detail/thread_object.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <span>

namespace ddx::backend::cpu {
namespace {

using ops::Op;

/// What makes one primitive differ from another: operation, dtype, order of the filter, number of
/// axes, images, extents, window.
using ConvolutionKey = std::array<std::int64_t, 8 + 6 * ops::WindowAttributes::max_axes>;

/// A convolution of some images with its filter in the layout that oneDNN prefers, and the reorder
/// of the filter from or into rows of the user's.
struct Plan {
  Plan(const dnnl_primitive_desc* desc, std::span<const Argument> arguments,
       const dnnl_primitive_desc* reorder, std::span<const Argument> reorder_arguments) noexcept
      : convolution(desc, arguments), filter(reorder, reorder_arguments) {}

  Callable convolution;
  Callable filter;
  std::int64_t filter_bytes = 0;
};

/// The operands as oneDNN names them: image x, filter, result y.
struct Problem {
  Problem(Op op_in, const ops::Call& call) noexcept
      : op(op_in),
        x(op == Op::convolution_input_gradient ? call.output() : call.input(0)),
        filter(op == Op::convolution_filter_gradient ? call.output() : call.input(1)),
        y(op == Op::convolution                  ? call.output()
          : op == Op::convolution_input_gradient ? call.input(0)
                                                 : call.input(1)),
        window(call.attributes<ops::WindowAttributes>()) {}

  /// The gradient of the image in steps of one, as the convolution of the cotangent with the filter
  /// whose taps are in the opposite order, which is what `turned_filter` has; or the reverse.
  Problem(const Problem& of, const ops::View& turned_filter) noexcept
      : op(of.op == Op::convolution ? Op::convolution_input_gradient : Op::convolution),
        x(of.y),
        filter(turned_filter),
        y(of.x),
        window(of.window),
        swaps_channels(true) {
    for (std::size_t axis = 0; axis < window.axes; ++axis) {
      window.low[axis] = reach(axis) - window.low[axis];
    }
  }

  [[nodiscard]] ConvolutionKey key(std::int64_t images) const noexcept {
    ConvolutionKey key{static_cast<std::int64_t>(op),
                       static_cast<std::int64_t>(dtype()),
                       swaps_channels ? 1 : 0,
                       static_cast<std::int64_t>(window.axes),
                       images,
                       groups(),
                       inputs() * groups(),
                       outputs() * groups()};
    auto next = key.begin() + 8;
    for (std::size_t axis = 0; axis < window.axes; ++axis) {
      for (const std::int64_t number :
           {x.shape()[axis + 1], y.shape()[axis + 1], window.size[axis], window.strides[axis],
            window.dilations[axis], window.low[axis]}) {
        *next++ = number;
      }
    }
    return key;
  }

  /// Of all three arrays: f32 or bf16.
  [[nodiscard]] DType dtype() const noexcept { return x.dtype(); }
  /// How far the last tap of the filter lies from the first one.
  [[nodiscard]] std::int64_t reach(std::size_t axis) const noexcept {
    return (window.size[axis] - 1) * window.dilations[axis];
  }
  [[nodiscard]] std::int64_t groups() const noexcept { return window.groups; }
  /// The channels of a group.
  [[nodiscard]] std::int64_t inputs() const noexcept {
    return x.shape()[window.axes + 1] / groups();
  }
  [[nodiscard]] std::int64_t outputs() const noexcept {
    return y.shape()[window.axes + 1] / groups();
  }

  Op op;
  ops::View x;
  ops::View filter;
  ops::View y;
  ops::WindowAttributes window;
  bool swaps_channels = false;  ///< The filter has its outputs before its inputs.
};

/// The extents of an array as oneDNN orders them, and the distances between neighbours in memory.
struct Layout {
  std::array<std::int64_t, 6> extents{};
  std::array<std::int64_t, 6> strides{};
  int rank = 0;

  void add(std::int64_t extent, std::int64_t stride) noexcept {
    extents[static_cast<std::size_t>(rank)] = extent;
    strides[static_cast<std::size_t>(rank)] = stride;
    ++rank;
  }
};

/// [n, x_i..., c] as [n, c, x_i...].
Layout image_layout(const Shape& shape, std::int64_t images) noexcept {
  const Strides strides = dense_strides(shape);
  Layout layout;
  layout.add(images, strides[0]);
  layout.add(shape[shape.rank() - 1], 1);
  for (std::size_t axis = 1; axis + 1 < shape.rank(); ++axis) {
    layout.add(shape[axis], strides[axis]);
  }
  return layout;
}

/// [k_i..., inputs, groups outputs] as [groups, outputs, inputs, k_i...], without the groups where
/// there is one; or [k_i..., outputs, inputs] as the same.
Layout filter_layout(const Problem& p) noexcept {
  const Strides strides = dense_strides(p.filter.shape());
  Layout layout;
  if (p.groups() > 1) {
    layout.add(p.groups(), p.outputs());
  }
  const std::int64_t slow = strides[p.window.axes];
  layout.add(p.outputs(), p.swaps_channels ? slow : 1);
  layout.add(p.inputs(), p.swaps_channels ? 1 : slow);
  for (std::size_t axis = 0; axis < p.window.axes; ++axis) {
    layout.add(p.window.size[axis], strides[axis]);
  }
  return layout;
}

dnnl_data_type_t data_type(DType dtype) noexcept {
  return dtype == DType::bf16 ? dnnl_bf16 : dnnl_f32;
}

bool describe(dnnl_memory_desc_t& desc, const Layout& layout, DType dtype) noexcept {
  return onednn()->memory_desc_init_by_strides(&desc, layout.rank, layout.extents.data(),
                                               data_type(dtype),
                                               layout.strides.data()) == dnnl_success;
}

/// The same extents in an order for oneDNN to choose.
bool describe_any(dnnl_memory_desc_t& desc, const Layout& layout, DType dtype) noexcept {
  return onednn()->memory_desc_init_by_tag(&desc, layout.rank, layout.extents.data(),
                                           data_type(dtype), dnnl_format_tag_any) == dnnl_success;
}

/// Owns what a call of oneDNN made; empty where it failed.
PrimitiveDesc taken(dnnl_status_t status, dnnl_primitive_desc_t made) noexcept {
  return PrimitiveDesc(status == dnnl_success ? made : nullptr);
}

/// The descriptions of a convolution of `images` images. The filter's layout is for oneDNN to
/// choose; that of a gradient is f32, since gradients of chunks of images are added up.
struct Descriptions {
  dnnl_memory_desc_t x;
  dnnl_memory_desc_t y;
  dnnl_memory_desc_t user_filter;
  dnnl_memory_desc_t filter;
  dnnl_memory_desc_t filter_sum;
  PrimitiveDesc convolution;
  PrimitiveDesc reorder;

  /// Returns whether oneDNN can.
  bool make(const Problem& p, std::int64_t images) noexcept {
    const Layout filter_of_user = filter_layout(p);
    return describe(x, image_layout(p.x.shape(), images), p.dtype()) &&
           describe(y, image_layout(p.y.shape(), images), p.dtype()) &&
           describe(user_filter, filter_of_user, p.dtype()) &&
           describe_any(filter, filter_of_user, p.dtype()) &&
           describe_any(filter_sum, filter_of_user, DType::f32) && make_convolution(p) &&
           make_reorder(p.op);
  }

 private:
  bool make_convolution(const Problem& p) noexcept {
    const ops::WindowAttributes& w = p.window;
    const auto& strides = w.strides;
    const auto& before = w.low;
    ops::WindowAttributes::PerAxis gaps{};   // Between the elements of the filter.
    ops::WindowAttributes::PerAxis after{};  // What windows reach beyond the image at its end;
                                             // negative where they leave some of it out.
    for (std::size_t axis = 0; axis < w.axes; ++axis) {
      gaps[axis] = w.dilations[axis] - 1;
      after[axis] = (p.y.shape()[axis + 1] - 1) * strides[axis] + p.reach(axis) + 1 - before[axis] -
                    p.x.shape()[axis + 1];
    }
    dnnl_convolution_desc_t forward;
    dnnl_primitive_desc_t made = nullptr;
    if (onednn()->convolution_forward_desc_init(
            &forward, dnnl_forward_training, dnnl_convolution_direct, &x, &filter, nullptr, &y,
            strides.data(), gaps.data(), before.data(), after.data()) != dnnl_success) {
      return false;
    }
    PrimitiveDesc hint = taken(
        onednn()->primitive_desc_create(&made, &forward, nullptr, onednn()->engine, nullptr), made);
    if (p.op == Op::convolution || hint == nullptr) {
      convolution = std::move(hint);
      return take_filter(dnnl_query_weights_md);
    }
    dnnl_convolution_desc_t backward;
    const bool of_input = p.op == Op::convolution_input_gradient;
    const dnnl_status_t described =
        of_input ? onednn()->convolution_backward_data_desc_init(
                       &backward, dnnl_convolution_direct, &x, &filter, &y, strides.data(),
                       gaps.data(), before.data(), after.data())
                 : onednn()->convolution_backward_weights_desc_init(
                       &backward, dnnl_convolution_direct, &x, &filter_sum, nullptr, &y,
                       strides.data(), gaps.data(), before.data(), after.data());
    if (described != dnnl_success) {
      return false;
    }
    convolution = taken(
        onednn()->primitive_desc_create(&made, &backward, nullptr, onednn()->engine, hint.get()),
        made);
    return take_filter(of_input ? dnnl_query_weights_md : dnnl_query_diff_weights_md);
  }

  bool take_filter(dnnl_query_t what) noexcept {
    if (convolution == nullptr) {
      return false;
    }
    filter = *onednn()->primitive_desc_query_md(convolution.get(), what, 0);
    return true;
  }

  bool make_reorder(Op op) noexcept {
    const bool is_result = op == Op::convolution_filter_gradient;
    dnnl_primitive_desc_t made = nullptr;
    reorder = taken(onednn()->reorder_primitive_desc_create(
                        &made, is_result ? &filter : &user_filter, onednn()->engine,
                        is_result ? &user_filter : &filter, onednn()->engine, nullptr),
                    made);
    return reorder != nullptr;
  }
};

/// The plan for `images` images of a problem: made at its first use on this thread. Null where
/// oneDNN cannot, or there is no memory.
Plan* plan_of(const Problem& p, std::int64_t images) noexcept {
  // Plans of more shapes than this are not kept: programs with so many make new ones all the time.
  constexpr std::size_t most_plans = 512;
  using Plans = std::map<ConvolutionKey, Plan>;
  Plans* const of_this_thread = ddx::detail::ThreadObject<Plans>::get();
  if (of_this_thread == nullptr) {
    return nullptr;  // The thread ends.
  }
  Plans& plans = *of_this_thread;
  const ConvolutionKey key = p.key(images);
  if (const auto found = plans.find(key); found != plans.end()) {
    return &found->second;
  }
  const OneThread alone;
  Descriptions d;
  if (!d.make(p, images)) {
    return nullptr;
  }
  const bool is_result = p.op == Op::convolution_filter_gradient;
  const std::array arguments{
      Argument{p.op == Op::convolution_input_gradient ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, d.x},
      Argument{is_result ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, d.filter},
      Argument{p.op == Op::convolution ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, d.y}};
  const std::array reorder{Argument{DNNL_ARG_FROM, is_result ? d.filter : d.user_filter},
                           Argument{DNNL_ARG_TO, is_result ? d.user_filter : d.filter}};
  try {
    if (plans.size() >= most_plans) {
      plans.clear();
    }
    Plan& plan = plans.try_emplace(key, d.convolution.get(), arguments, d.reorder.get(), reorder)
                     .first->second;
    plan.filter_bytes = static_cast<std::int64_t>(onednn()->memory_desc_get_size(&d.filter));
    if (plan.convolution && plan.filter) {
      return &plan;
    }
    plans.erase(key);
  } catch (const std::bad_alloc&) {
    plans.clear();
  }
  return nullptr;
}

std::int64_t multiplications(const Problem& p) noexcept {
  return p.y.shape().count() * p.inputs() * p.window.size[0] * p.window.size[1] * p.window.size[2];
}

/// The chunks of images, from the shapes alone: of 2^23 multiplications at least, about 80 us. All
/// have equally many images, so that they share the layout of the filter.
std::int64_t chunks_of(const Problem& p) noexcept {
  const std::int64_t images = p.x.shape()[0];
  std::int64_t chunks =
      std::clamp<std::int64_t>(multiplications(p) >> 23, 1, std::min<std::int64_t>(images, 8));
  if (p.op == Op::convolution_filter_gradient) {
    // Adding up a filter of its own pays for a chunk of 256 positions or more.
    chunks =
        std::clamp<std::int64_t>(p.y.shape().count() / (p.groups() * p.outputs()) / 256, 1, chunks);
  }
  while (images % chunks != 0) {
    --chunks;
  }
  return chunks;
}

/// Runs the convolution of each chunk of images; `filter_of` says where a chunk's filter is.
template <class FilterOf>
bool run_images(const Problem& p, std::int64_t chunks, FilterOf filter_of) noexcept {
  const std::int64_t images = p.x.shape()[0];
  const auto bytes = static_cast<std::int64_t>(info(p.dtype()).bytes);
  const std::int64_t x_image = p.x.shape().count() / images * bytes;
  const std::int64_t y_image = p.y.shape().count() / images * bytes;
  std::atomic<bool> done{true};
  for_each_chunk(chunks, [&](std::int64_t i) {
    const Part part(images, chunks, i);
    Plan* plan = plan_of(p, part.end - part.begin);
    const std::array<void*, 3> data{p.x.mutable_data<std::byte>() + part.begin * x_image,
                                    filter_of(i),
                                    p.y.mutable_data<std::byte>() + part.begin * y_image};
    if (plan == nullptr || !plan->convolution(data)) {
      done = false;
    }
  });
  return done;
}

/// Whether the gradient of the image is faster by the convolution with the turned filter, or the
/// convolution by the gradient. oneDNN 2 has a better kernel for convolutions, except for rows of
/// few positions. Measured on a Zen 5, 3 x 3 taps: gradients by 10 % with 64 channels and 16 % with
/// 256; convolutions of 4 x 4 positions by 18 % with 256 channels and 58 % with 512.
bool is_faster_turned(const Problem& p) noexcept {
  const bool short_rows = p.x.shape()[p.window.axes] < 5;
  const std::int64_t least = p.op == Op::convolution ? 256 : 64;
  if (p.op == Op::convolution_filter_gradient || short_rows != (p.op == Op::convolution) ||
      p.groups() > 1 || std::min(p.inputs(), p.outputs()) < least) {
    return false;
  }
  std::int64_t taps = 1;
  for (std::size_t axis = 0; axis < p.window.axes; ++axis) {
    taps *= p.window.size[axis];
    const std::int64_t before = p.window.low[axis];
    const std::int64_t after =
        p.y.shape()[axis + 1] + p.reach(axis) - before - p.x.shape()[axis + 1];
    if (p.window.strides[axis] != 1 || std::max(before, after) > p.reach(axis)) {
      return false;  // Windows beyond see padding alone, and turned there would be none of them.
    }
  }
  return taps > 1;
}

/// The gradient of the filter: of each chunk, then their sum.
bool add_up_filters(const Problem& p, std::int64_t chunks, const Plan& plan) noexcept {
  const std::int64_t size = plan.filter_bytes / static_cast<std::int64_t>(sizeof(float));
  const Scratch<float> filters(size * chunks);
  float* const sum = filters.data();
  if (!filters || !run_images(p, chunks, [=](std::int64_t i) { return sum + i * size; })) {
    return false;
  }
  constexpr std::int64_t grain = 32768;
  for_each_range(size, grain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t chunk = 1; chunk < chunks; ++chunk) {
      for (std::int64_t i = begin; i < end; ++i) {
        sum[i] += sum[chunk * size + i];
      }
    }
  });
  return plan.filter(std::array<void*, 2>{sum, p.filter.mutable_data<void>()});
}

bool run(const Problem& p) noexcept {
  const std::int64_t images = p.x.shape()[0];
  const std::int64_t chunks = chunks_of(p);
  Plan* plan = plan_of(p, images / chunks);
  if (plan == nullptr) {
    return false;
  }
  if (p.op == Op::convolution_filter_gradient) {
    return add_up_filters(p, chunks, *plan);
  }
  const Scratch<std::byte> filter(plan->filter_bytes);
  return filter &&
         plan->filter(std::array<void*, 2>{p.filter.mutable_data<void>(), filter.data()}) &&
         run_images(p, chunks, [&](std::int64_t) { return filter.data(); });
}

bool run_turned(const Problem& p) noexcept {
  const auto bytes = static_cast<std::int64_t>(info(p.dtype()).bytes);
  const std::int64_t size = p.filter.shape().count() * bytes;
  const Scratch<std::byte> turned(size);
  if (!turned) {
    return false;
  }
  const std::int64_t tap = p.inputs() * p.outputs() * bytes;
  constexpr std::int64_t grain = 131072;
  for_each_range(size / tap, std::max<std::int64_t>(grain / tap, 1),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t at = begin * tap; at < end * tap; at += tap) {
                     std::copy_n(p.filter.data<std::byte>() + at, tap,
                                 turned.data() + size - tap - at);
                   }
                 });
  return run(Problem(p, ops::View(turned.data(), p.filter.shape(), p.dtype())));
}

}  // namespace

/// Whether oneDNN counts the places of a padded image: it does so in numbers of 32 bits.
bool is_countable(const ops::WindowAttributes& w, const Shape& x) noexcept {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  for (std::size_t axis = 0; axis < w.axes; ++axis) {
    if (x[axis + 1] + w.low[axis] + w.high[axis] > most || w.strides[axis] > most ||
        w.dilations[axis] > most) {
      return false;
    }
  }
  return true;
}

bool convolve_by_onednn(ops::Op op, const ops::Call& call) noexcept {
  const Problem p(op, call);
  if (!is_countable(p.window, p.x.shape()) || p.x.shape().count() == 0 ||
      p.y.shape().count() == 0 || p.filter.shape().count() == 0 || onednn() == nullptr) {
    return false;
  }
  return is_faster_turned(p) ? run_turned(p) : run(p);
}

bool onednn_is_faster(ops::Op op, const ops::Call& call) noexcept {
  const Problem p(op, call);
  const ops::WindowAttributes& w = p.window;
  if (w.axes > 2 || w.groups > 1 || w.dilations[0] > 1 || w.dilations[1] > 1) {
    return true;  // Of these this back end has no kernel of its own.
  }
  return p.inputs() >= 16 && p.outputs() >= 16 && multiplications(p) >= (1 << 22);
}

}  // namespace ddx::backend::cpu
