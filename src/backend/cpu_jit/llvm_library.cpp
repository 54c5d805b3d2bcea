#include "backend/cpu_jit/llvm_library.h"

#include <dlfcn.h>
#include <optional>

namespace ddx::backend::cpu_jit {
namespace {

std::optional<LlvmLibrary> load() noexcept {
  // Stays loaded until the program ends, as does the code that it has made.
  void* const handle = dlopen("libLLVM.so.19.1", RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    return std::nullopt;
  }
  LlvmLibrary llvm;
  bool complete = true;
  const auto find = [&](auto& function, const char* name) {
    void* const found = dlsym(handle, name);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    complete = complete && found != nullptr;
  };
#define DDX_LLVM(name) find(llvm.name, "LLVM" #name);
#include "backend/cpu_jit/llvm_functions.def"
  if (!complete) {
    return std::nullopt;
  }
  llvm.InitializeX86TargetInfo();
  llvm.InitializeX86Target();
  llvm.InitializeX86TargetMC();
  llvm.InitializeX86AsmPrinter();
  return llvm;
}

}  // namespace

const LlvmLibrary* llvm_library() noexcept {
  static const std::optional<LlvmLibrary> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace ddx::backend::cpu_jit
