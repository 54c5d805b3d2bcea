#include "backend/cpu/onednn/primitive.h"

#include "backend/cpu/onednn/library.h"
#include "core/detail/thread_object.h"

#include <cstddef>
#include <span>

namespace ddx::backend::cpu {
namespace {

struct ThreadStream {
  ThreadStream() noexcept {
    dnnl_stream_t made = nullptr;
    (void)onednn()->stream_create(&made, onednn()->engine, dnnl_stream_default_flags);
    stream.reset(made);
  }
  Stream stream;
};

/// The stream of this thread; null where there is none.
dnnl_stream_t stream() noexcept {
  const ThreadStream* const of_this_thread = ddx::detail::ThreadObject<ThreadStream>::get();
  return of_this_thread == nullptr ? nullptr : of_this_thread->stream.get();
}

}  // namespace

OneThread::OneThread() noexcept : before_(onednn()->omp_get_max_threads()) {
  onednn()->omp_set_num_threads(1);
}

OneThread::~OneThread() {
  onednn()->omp_set_num_threads(before_);
}

Callable::Callable(const dnnl_primitive_desc* desc, std::span<const Argument> arguments) noexcept {
  for (const Argument& argument : arguments) {
    dnnl_memory_t made = nullptr;
    if (onednn()->memory_create(&made, &argument.desc, onednn()->engine, DNNL_MEMORY_NONE) !=
        dnnl_success) {
      return;
    }
    memory_[count_].reset(made);
    arguments_[count_] = {argument.place, made};
    ++count_;
  }
  const OneThread alone;
  dnnl_primitive_t made = nullptr;
  if (stream() != nullptr && onednn()->primitive_create(&made, desc) == dnnl_success) {
    primitive_.reset(made);
  }
}

bool Callable::operator()(std::span<void* const> data) const noexcept {
  const OneThread alone;
  for (std::size_t i = 0; i < count_; ++i) {
    if (onednn()->memory_set_data_handle(memory_[i].get(), data[i]) != dnnl_success) {
      return false;
    }
  }
  return onednn()->primitive_execute(primitive_.get(), stream(), static_cast<int>(count_),
                                     arguments_.data()) == dnnl_success;
}

}  // namespace ddx::backend::cpu
