#include "backend/cpu/onednn/library.h"

#include <dlfcn.h>
#include <optional>

namespace ddx::backend::cpu {
namespace {

/// Looks up functions; remembers whether all were found.
class Finder {
 public:
  explicit Finder(void* handle) noexcept : handle_(handle), complete_(handle != nullptr) {}

  template <class Function>
  void find(Function& function, const char* name) noexcept {
    void* found = complete_ ? dlsym(handle_, name) : nullptr;
    function = reinterpret_cast<Function>(found);
    complete_ = complete_ && found != nullptr;
  }

  [[nodiscard]] bool complete() const noexcept { return complete_; }

 private:
  void* handle_;
  bool complete_;
};

std::optional<OneDnn> load() noexcept {
  // Stays loaded until the program ends: primitives of other threads hold on to its code.
  Finder finder(dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL));
  OneDnn dnnl;
  finder.find(dnnl.engine_create, "dnnl_engine_create");
  finder.find(dnnl.stream_create, "dnnl_stream_create");
  finder.find(dnnl.stream_destroy, "dnnl_stream_destroy");
  finder.find(dnnl.memory_desc_init_by_strides, "dnnl_memory_desc_init_by_strides");
  finder.find(dnnl.memory_desc_init_by_tag, "dnnl_memory_desc_init_by_tag");
  finder.find(dnnl.memory_desc_get_size, "dnnl_memory_desc_get_size");
  finder.find(dnnl.memory_create, "dnnl_memory_create");
  finder.find(dnnl.memory_destroy, "dnnl_memory_destroy");
  finder.find(dnnl.memory_set_data_handle, "dnnl_memory_set_data_handle");
  finder.find(dnnl.convolution_forward_desc_init, "dnnl_dilated_convolution_forward_desc_init");
  finder.find(dnnl.convolution_backward_data_desc_init,
              "dnnl_dilated_convolution_backward_data_desc_init");
  finder.find(dnnl.convolution_backward_weights_desc_init,
              "dnnl_dilated_convolution_backward_weights_desc_init");
  finder.find(dnnl.matmul_desc_init, "dnnl_matmul_desc_init");
  finder.find(dnnl.reorder_primitive_desc_create, "dnnl_reorder_primitive_desc_create");
  finder.find(dnnl.primitive_desc_create, "dnnl_primitive_desc_create");
  finder.find(dnnl.primitive_desc_destroy, "dnnl_primitive_desc_destroy");
  finder.find(dnnl.primitive_desc_query_md, "dnnl_primitive_desc_query_md");
  finder.find(dnnl.primitive_create, "dnnl_primitive_create");
  finder.find(dnnl.primitive_destroy, "dnnl_primitive_destroy");
  finder.find(dnnl.primitive_execute, "dnnl_primitive_execute");
  finder.find(dnnl.omp_get_max_threads, "omp_get_max_threads");
  finder.find(dnnl.omp_set_num_threads, "omp_set_num_threads");
  if (!finder.complete() || dnnl.engine_create(&dnnl.engine, dnnl_cpu, 0) != dnnl_success) {
    return std::nullopt;
  }
  return dnnl;
}

}  // namespace

const OneDnn* onednn() noexcept {
  static const std::optional<OneDnn> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace ddx::backend::cpu
