#include "backend/cpu_jit/loaded_code.h"

#include "ddx/core/error.h"

#include "backend/cpu_jit/llvm_library.h"
#include "backend/cpu_jit/loop.h"

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::cpu_jit {
namespace {

constexpr const char* load_operation = "load compiled loops";

std::string text_of(const LlvmLibrary& llvm, LLVMErrorRef error) {
  char* const said = llvm.GetErrorMessage(error);
  std::string text = said;
  llvm.DisposeErrorMessage(said);
  return text;
}

/// What LLVM has said besides, kept for a caller that asks.
std::string& asides() {
  static auto* const text = new std::string;
  return *text;
}

void expect_none(const LlvmLibrary& llvm, LLVMErrorRef error) {
  if (error != nullptr) {
    std::string facts = text_of(llvm, error);
    if (const std::string reason = std::exchange(asides(), {}); !reason.empty()) {
      facts += ": " + reason;
    }
    throw EnvironmentError(load_operation, facts);
  }
}

/// LLVM's loader, with the functions of the process for what loops call.
LLVMOrcLLJITRef make_loader(const LlvmLibrary& llvm) {
  LLVMOrcLLJITRef loader = nullptr;
  expect_none(llvm, llvm.OrcCreateLLJIT(&loader, nullptr));
  // Else it prints.
  llvm.OrcExecutionSessionSetErrorReporter(
      llvm.OrcLLJITGetExecutionSession(loader),
      [](void*, LLVMErrorRef error) { asides() = text_of(*llvm_library(), error); }, nullptr);
  LLVMOrcDefinitionGeneratorRef process = nullptr;
  expect_none(llvm, llvm.OrcCreateDynamicLibrarySearchGeneratorForProcess(
                        &process, llvm.OrcLLJITGetGlobalPrefix(loader), nullptr, nullptr));
  llvm.OrcJITDylibAddGenerator(llvm.OrcLLJITGetMainJITDylib(loader), process);
  return loader;
}

}  // namespace

std::vector<LoopFunction> load(std::span<const std::byte> object,
                               std::span<const std::string> names) {
  const LlvmLibrary* const llvm = llvm_library();
  if (llvm == nullptr) {
    throw EnvironmentError(load_operation, "there is no libLLVM.so.19.1");
  }
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  // Never destroyed: code may run until the process ends.
  static const LLVMOrcLLJITRef loader = make_loader(*llvm);
  // Adding takes the buffer.
  LLVMMemoryBufferRef buffer = llvm->CreateMemoryBufferWithMemoryRangeCopy(
      reinterpret_cast<const char*>(object.data()), object.size(), "loops");
  expect_none(*llvm,
              llvm->OrcLLJITAddObjectFile(loader, llvm->OrcLLJITGetMainJITDylib(loader), buffer));
  std::vector<LoopFunction> functions;
  for (const std::string& name : names) {
    LLVMOrcExecutorAddress address = 0;
    expect_none(*llvm, llvm->OrcLLJITLookup(loader, &address, name.c_str()));
    functions.push_back(reinterpret_cast<LoopFunction>(address));
  }
  return functions;
}

}  // namespace ddx::backend::cpu_jit
