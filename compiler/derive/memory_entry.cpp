#include "compiler/derive/memory_entry.h"

#include "compiler/derive/entry_text.h"
#include "compiler/memory/memory_rules.h"

namespace ddx::compiler {

using namespace clang;

namespace {

/// The first type argument of `type`, a specialisation of a class template.
QualType first_argument(QualType type) {
  return cast<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl())
      ->getTemplateArgs()
      .get(0)
      .getAsType();
}

/// The type of the function's result: a pullback's entry returns its state.
QualType value_type(const Request& request) {
  const QualType returned = request.entry->getReturnType();
  return request.kind == Request::Kind::Pullback ? first_argument(first_argument(returned))
                                                 : returned;
}

constexpr const char* end_sweep = "ddx::detail::memory_end_sweep(sweep.get());\n";

/// The name of the function (0) or of an argument in the entry.
std::string parameter_name(std::size_t position) {
  return position == 0 ? "f" : "a" + std::to_string(position - 1);
}

}  // namespace

MemoryEntry::MemoryEntry(const Context& context, const Request& request, const FunctionDecl* target)
    : context_(context),
      request_(request),
      target_(target),
      number_(std::to_string(context.memory_rules.requests.size())),
      result_(context.names.type(value_type(request))) {
  for (const ParmVarDecl* parameter : request.primal->parameters()) {
    types_.push_back(context.names.type(parameter->getType().getNonReferenceType()));
  }
}

std::string MemoryEntry::label(const std::string& part) const {
  return " __asm__(\"ddx.memory." + part + "." + number_ + "\");\n";
}

std::string MemoryEntry::name(const std::string& part) const {
  return "ddx_memory_" + part + "_" + number_;
}

/// The function, its arguments and the place of its result, all by address. `typed`: a function
/// without definition may not have parameters of types without linkage.
std::string MemoryEntry::parameters(bool typed) const {
  std::string text;
  for (std::size_t i = 0; i < types_.size(); ++i) {
    text += (typed ? types_[i] + "* " : "const void* ") + parameter_name(i) + ", ";
  }
  return text + (typed ? result_ : "void") + "* result";
}

/// The addresses of the function and its arguments in the entry.
std::string MemoryEntry::arguments() const {
  std::string text;
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const bool is_own = i > 0 && request_.kind != Request::Kind::Pullback &&
                        llvm::is_contained(request_.wrt, i - 1) &&
                        has_own_copy(static_cast<unsigned>(i - 1));
    text += "std::addressof(" + std::string(is_own ? "own_" : "") + parameter_name(i) + "), ";
  }
  return text;
}

/// True where the entry works on a copy of a selected argument: its numbers have addresses of their
/// own then, also where the function refers to the same object or another argument is it.
bool MemoryEntry::has_own_copy(unsigned argument) const {
  const QualType type =
      request_.primal->getParamDecl(argument + 1)->getType().getNonReferenceType();
  const CXXRecordDecl* record = Types::record(type);
  const bool may_be_derived = record && record->isPolymorphic();
  return !may_be_derived && !context_.copies.cannot_copy(type);
}

std::string MemoryEntry::own_arguments() const {
  std::string text;
  for (const unsigned i : request_.wrt) {
    if (has_own_copy(i)) {
      text +=
          "  " + types_[i + 1] + " own_a" + std::to_string(i) + "(a" + std::to_string(i) + ");\n";
    }
  }
  return text;
}

/// Adds the cotangents of the selected arguments to `tangents`.
std::string MemoryEntry::gather(const std::string& owner, const std::string& tangents) const {
  std::string text;
  for (std::size_t i = 0; i < request_.wrt.size(); ++i) {
    const unsigned argument = request_.wrt[i];
    const bool is_own = request_.kind != Request::Kind::Pullback && has_own_copy(argument);
    text += owner + "ddx::detail::add_cotangents(*sweep, " + (is_own ? "own_a" : "a") +
            std::to_string(argument) + ", std::get<" + std::to_string(i) + ">(" + tangents +
            "));\n";
  }
  return text;
}

/// Defines the function to differentiate, with all arguments and the result by address.
void MemoryEntry::declare_primal() {
  const llvm::ArrayRef<TemplateArgument> written =
      request_.entry->getTemplateSpecializationArgs()->asArray().take_front(3);
  std::string called;
  if (target_) {
    called = context_.names.function(target_) + "(";
  } else {
    called = "ddx::detail::primal<" + context_.names.type(written[1].getAsType());
    for (const TemplateArgument& argument : written[2].pack_elements()) {
      called += ", " + context_.names.type(argument.getAsType());
    }
    called += ">(*f";
  }
  for (std::size_t i = 1; i < types_.size(); ++i) {
    called += (target_ && i == 1 ? "*" : ", *") + parameter_name(i);
  }
  const std::string head = "static void " + name("primal") + "(" + parameters(true) + ")";
  declarations_ += "[[gnu::used]] " + head + label("primal") + head +
                   " {\n  ::new (static_cast<void*>(result)) " + result_ + "(" + called +
                   "));\n}\n";
}

void MemoryEntry::declare_sweeps() {
  declare_primal();
  declarations_ += "void " + name("forward") + "(" + parameters(false) +
                   ", ddx::detail::MemorySweep* sweep)" + label("forward") + "void " +
                   name("reverse") + "(ddx::detail::MemorySweep* sweep)" + label("reverse");
}

/// Runs the forward sweep, which constructs `result`.
std::string MemoryEntry::forward_call(const std::string& result) const {
  return "  " + name("forward") + "(" + arguments() + "std::addressof(" + result +
         ".get()), sweep.get());\n  " + result + ".complete();\n";
}

/// Declares the sweeps, and runs the forward one in the entry.
std::string MemoryEntry::begin_sweeps() {
  declare_sweeps();
  return own_arguments() +
         "  ddx::detail::Reused<ddx::detail::MemorySweep> sweep;\n  ddx::detail::Storage<" +
         result_ + "> result;\n" + forward_call("result");
}

std::string MemoryEntry::gradient_body() {
  return begin_sweeps() +
         "  sweep->begin_reverse();\n  ddx::detail::set_cotangents(*sweep, result.get(), "
         "ddx::detail::unit_seed(result.get()));\n  " +
         name("reverse") + "(sweep.get());\n" + gather("  ", "tangents") + "  " + end_sweep +
         "  return std::move(result.get());\n";
}

std::string MemoryEntry::rows_body() {
  return begin_sweeps() +
         "  rows.begin(result.get());\n  while (rows.next()) {\n    sweep->begin_reverse();\n    "
         "ddx::detail::set_cotangents(*sweep, result.get(), rows.seed);\n    " +
         name("reverse") + "(sweep.get());\n" + gather("    ", "rows.tangents") + "    " +
         end_sweep + "    rows.end_row();\n  }\n  return std::move(result.get());\n";
}

std::string MemoryEntry::pullback_body() {
  declare_sweeps();
  const PullbackClass made = pullback_class(request_, context_.names);
  const std::string state = context_.names.fresh("ddx_pullback");
  declarations_ +=
      "namespace {\nstruct " + state + " final : " + made.base + " {\n" + made.members +
      "  ddx::detail::Reused<ddx::detail::MemorySweep> sweep;\n  ddx::detail::Storage<" +
      made.value + "> result;\n  explicit " + state + "(" + made.parameters +
      ") : " + made.initialisers + " {\n" + forward_call("result") +
      "  this->value.emplace(result.get());\n  }\n  void reverse(const "
      "ddx::TangentOf<" +
      made.value + ">& given, " + made.tangents +
      "& tangents) override {\n    sweep->begin_reverse();\n    "
      "ddx::detail::set_cotangents(*sweep, result.get(), given);\n    " +
      name("reverse") + "(sweep.get());\n" + gather("    ", "tangents") + "    " + end_sweep +
      "  }\n};\n}  // namespace\n";
  return "  return ddx::detail::make_owned<" + state + ">(" + made.passed + ");\n";
}

std::string MemoryEntry::differential_body() {
  declare_primal();
  declarations_ += "void " + name("tangent") + "(" + parameters(false) +
                   ", ddx::detail::MemoryTangents* tangents)" + label("tangent");
  std::string text =
      own_arguments() + "  ddx::detail::Reused<ddx::detail::MemoryTangents> tangents;\n";
  for (std::size_t i = 0; i < request_.wrt.size(); ++i) {
    const unsigned argument = request_.wrt[i];
    text += "  ddx::detail::set_tangents(*tangents, " +
            std::string(has_own_copy(argument) ? "own_a" : "a") + std::to_string(argument) + ", d" +
            std::to_string(i) + ");\n";
  }
  return text + "  ddx::detail::Storage<" + result_ + "> result;\n  " + name("tangent") + "(" +
         arguments() +
         "std::addressof(result.get()), tangents.get());\n  result.complete();\n  "
         "ddx::detail::get_tangents(*tangents, result.get(), differential);\n  "
         "ddx::detail::memory_end_tangents(tangents.get());\n  return "
         "std::move(result.get());\n";
}

std::string MemoryEntry::body() {
  switch (request_.kind) {
    case Request::Kind::ValueWithGradient:
      return gradient_body();
    case Request::Kind::Rows:
      return rows_body();
    case Request::Kind::Pullback:
      return pullback_body();
    case Request::Kind::Differential:
      return differential_body();
  }
  llvm_unreachable("closed set");
}

}  // namespace ddx::compiler
