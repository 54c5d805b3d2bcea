#include "backend/cpu_jit/object_code.h"

#include "ddx/core/error.h"

#include "backend/cpu/isa.h"
#include "backend/cpu_jit/element_bitcode.h"
#include "backend/cpu_jit/llvm_library.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace ddx::backend::cpu_jit {
namespace {

constexpr const char* compile_operation = "compile loops";
constexpr const char* triple = "x86_64-unknown-linux-gnu";

// The loops are made of vectors as they are written: what is left is to put the functions of
// elements in, to keep what they pass on in registers, and to tidy up.
constexpr const char* passes =
    "always-inline,globaldce,function(sroa,early-cse<memssa>,instcombine,simplifycfg,"
    "loop-mssa(licm),early-cse,dce)";

/// Frees what LLVM has made.
template <auto member>
struct Dispose {
  template <class T>
  void operator()(T* object) const noexcept {
    (llvm_library()->*member)(object);
  }
};

template <class Ref, auto member>
using Owned = std::unique_ptr<std::remove_pointer_t<Ref>, Dispose<member>>;
using Context = Owned<LLVMContextRef, &LlvmLibrary::ContextDispose>;
using Module = Owned<LLVMModuleRef, &LlvmLibrary::DisposeModule>;
using Machine = Owned<LLVMTargetMachineRef, &LlvmLibrary::DisposeTargetMachine>;
using PassOptions = Owned<LLVMPassBuilderOptionsRef, &LlvmLibrary::DisposePassBuilderOptions>;
using MemoryBuffer = Owned<LLVMMemoryBufferRef, &LlvmLibrary::DisposeMemoryBuffer>;

/// Throws what LLVM says, and frees it.
[[noreturn]] void refuse(const LlvmLibrary& llvm, const std::string& what, char* message) {
  const std::string facts = what + ": " + (message == nullptr ? "no reason given" : message);
  if (message != nullptr) {
    llvm.DisposeMessage(message);
  }
  throw EnvironmentError(compile_operation, facts);
}

/// The instruction set as processors are named. Kernels are compiled for no processor in
/// particular, nor is this more than the features of the instruction set: it says how long
/// instructions take.
const char* processor_of(cpu::Isa isa) noexcept {
  switch (isa) {
    case cpu::Isa::Baseline:
      return "x86-64";
    case cpu::Isa::Avx2:
      return "x86-64-v3";
    case cpu::Isa::Avx512:
      return "x86-64-v4";
  }
  __builtin_unreachable();
}

Module parse_elements(const LlvmLibrary& llvm, LLVMContextRef context, cpu::Isa isa) {
  const auto bitcode = element_bitcode(isa);
  const MemoryBuffer buffer(llvm.CreateMemoryBufferWithMemoryRange(
      reinterpret_cast<const char*>(bitcode.data()), bitcode.size(), "elements", 0));
  LLVMModuleRef module = nullptr;
  if (llvm.ParseBitcodeInContext2(context, buffer.get(), &module) != 0) {
    throw EnvironmentError(compile_operation,
                           "the bitcode of the library cannot be read by this LLVM");
  }
  return Module(module);
}

/// Adds a function to the module.
void add(const LlvmLibrary& llvm, LLVMContextRef context, LLVMModuleRef module,
         const FunctionText& function) {
  // Parsing takes the buffer.
  LLVMMemoryBufferRef text = llvm.CreateMemoryBufferWithMemoryRangeCopy(
      function.text.data(), function.text.size(), function.name.c_str());
  LLVMModuleRef parsed = nullptr;
  char* message = nullptr;
  if (llvm.ParseIRInContext(context, text, &parsed, &message) != 0) {
    refuse(llvm, function.name, message);
  }
  if (llvm.LinkModules2(module, parsed) != 0) {  // Takes what it links.
    throw EnvironmentError(compile_operation, function.name + ": cannot be linked");
  }
}

/// Lets the functions be inlined: gives them the instructions that those of elements have, which
/// no other module is to see.
void unite(const LlvmLibrary& llvm, LLVMModuleRef module, std::span<const FunctionText> functions) {
  const LLVMValueRef model = llvm.GetNamedFunction(module, "ddx_add_f32");
  for (LLVMValueRef f = llvm.GetFirstFunction(module); f != nullptr; f = llvm.GetNextFunction(f)) {
    if (llvm.IsDeclaration(f) == 0) {
      llvm.SetLinkage(f, LLVMInternalLinkage);
    }
  }
  for (const FunctionText& function : functions) {
    const LLVMValueRef f = llvm.GetNamedFunction(module, function.name.c_str());
    if (f == nullptr) {
      throw EnvironmentError(compile_operation,
                             function.name + ": the text defines no such function");
    }
    llvm.SetLinkage(f, LLVMExternalLinkage);
    for (const std::string_view name : {"target-cpu", "target-features", "tune-cpu"}) {
      if (const LLVMAttributeRef attribute = llvm.GetStringAttributeAtIndex(
              model, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex), name.data(),
              static_cast<unsigned>(name.size()))) {
        llvm.AddAttributeAtIndex(f, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex),
                                 attribute);
      }
    }
  }
}

Machine machine_for(const LlvmLibrary& llvm, cpu::Isa isa) {
  LLVMTargetRef target = nullptr;
  char* message = nullptr;
  if (llvm.GetTargetFromTriple(triple, &target, &message) != 0) {
    refuse(llvm, triple, message);
  }
  return Machine(llvm.CreateTargetMachine(target, triple, processor_of(isa), "",
                                          LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                          LLVMCodeModelJITDefault));
}

}  // namespace

std::string compiler_options(cpu::Isa isa) {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  if (const LlvmLibrary* const llvm = llvm_library()) {
    llvm->GetVersion(&major, &minor, &patch);
  }
  std::string options = "LLVM " + std::to_string(major) + "." + std::to_string(minor) + "." +
                        std::to_string(patch) + ", ";
  return options.append(triple).append(", ").append(processor_of(isa)).append(", ") + passes;
}

ObjectCode compile(std::span<const FunctionText> functions, cpu::Isa isa) {
  const LlvmLibrary* const found = llvm_library();
  if (found == nullptr) {
    throw EnvironmentError(compile_operation, "there is no libLLVM.so.19.1");
  }
  const LlvmLibrary& llvm = *found;
  const Context context(llvm.ContextCreate());
  // Without a handler LLVM prints, and ends the process where it takes a diagnostic for an error.
  llvm.ContextSetDiagnosticHandler(context.get(), [](LLVMDiagnosticInfoRef, void*) {}, nullptr);
  const Module module = parse_elements(llvm, context.get(), isa);
  for (const FunctionText& function : functions) {
    add(llvm, context.get(), module.get(), function);
  }
  unite(llvm, module.get(), functions);
  const Machine machine = machine_for(llvm, isa);
  const PassOptions options(llvm.CreatePassBuilderOptions());
  if (LLVMErrorRef error = llvm.RunPasses(module.get(), passes, machine.get(), options.get())) {
    char* const said = llvm.GetErrorMessage(error);
    const std::string facts = said;
    llvm.DisposeErrorMessage(said);
    throw EnvironmentError(compile_operation, facts);
  }
  LLVMMemoryBufferRef made = nullptr;
  char* message = nullptr;
  if (llvm.TargetMachineEmitToMemoryBuffer(machine.get(), module.get(), LLVMObjectFile, &message,
                                           &made) != 0) {
    refuse(llvm, "machine code", message);
  }
  const MemoryBuffer object(made);
  const auto* const begin = reinterpret_cast<const std::byte*>(llvm.GetBufferStart(object.get()));
  return ObjectCode(begin, begin + llvm.GetBufferSize(object.get()));
}

}  // namespace ddx::backend::cpu_jit
