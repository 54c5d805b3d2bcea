#include "core/call_stack/libdw.h"

#include <dlfcn.h>
#include <optional>
#include <type_traits>

namespace ddx {
namespace {

std::optional<Libdw> load() noexcept {
  void* const handle = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    return std::nullopt;
  }
  Libdw library;
  bool complete = true;
  const auto find = [&](auto& function, const char* name) {
    void* const found = dlsym(handle, name);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    complete = complete && found != nullptr;
  };
#define DDX_LIBDW(name) find(library.name, #name);
#include "core/call_stack/libdw_functions.def"
  return complete ? std::optional(library) : std::nullopt;
}

}  // namespace

const Libdw* libdw() noexcept {
  static const std::optional<Libdw> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace ddx
