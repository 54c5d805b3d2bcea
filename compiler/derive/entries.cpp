#include "compiler/analysis/activity.h"
#include "compiler/derive/driver.h"
#include "compiler/derive/entry_text.h"
#include "compiler/derive/given_derivatives.h"
#include "compiler/derive/memory_entry.h"
#include "compiler/derive/memory_path.h"
#include "compiler/derive/reached_functions.h"
#include "compiler/diagnostics/diagnostics.h"
#include "compiler/emit/emitter.h"
#include "compiler/emit/multi_cotangent.h"
#include "compiler/rules/slope_functions.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Derivative* Driver::derive_request(const Request& request, const FunctionDecl* target,
                                   EntryArguments& arguments) {
  const bool forward = request.kind == Request::Kind::Differential;
  arguments.key.mode = forward ? Mode::Forward : Mode::Reverse;
  arguments.key.function = request.primal;
  arguments.outlives = request.kind == Request::Kind::Pullback;
  arguments.stays = !forward;
  if (target) {
    arguments.key.targets.push_back(target);
  }
  ParameterFacts constant;
  constant.is_unchanged = !forward;
  constant.group = request.primal->getNumParams();  // A value of its own, as each argument.
  expand(request.primal->getParamDecl(0)->getType(), "f", constant, arguments);
  for (unsigned i = 1; i < request.primal->getNumParams(); ++i) {
    ParameterFacts facts;
    facts.is_unchanged = !forward;
    facts.group = i;
    facts.active = llvm::is_contained(request.wrt, i - 1);
    arguments.places.push_back(arguments.texts.size());
    expand(request.primal->getParamDecl(i)->getType(), "a" + std::to_string(i - 1), facts,
           arguments);
  }
  chain_.assign(1, {nullptr, request.where});
  Derivative* made = derive(arguments.key);
  chain_.clear();
  if (made && !made->result_depends && !made->cuts && request.by_user) {
    warn_of_independence(request, target);
  }
  return made;
}

/// Says that a derivative is zero, once for each function and place.
void Driver::warn_of_independence(const Request& request, const FunctionDecl* target) {
  if (!warned_.insert({request.where.getRawEncoding(), target}).second) {
    return;
  }
  const std::string name = target ? "'" + target->getNameAsString() + "'" : "this function";
  report(context_.diagnostics, Diagnostic::IndependentResult, request.where) << name;
  if (target) {
    report(context_.diagnostics, Diagnostic::IndependentFunction, target->getLocation())
        << target->getNameAsString();
  }
}

std::string Driver::reverse_call(const Derivative& derivative, const EntryArguments& arguments,
                                 const Request& request, const std::string& seed, bool batched) {
  std::string list = "r";
  for (std::size_t i = 0; i < arguments.texts.size(); ++i) {
    if (derivative.reverse_takes[i]) {
      list += ", " + arguments.texts[i];
    }
  }
  list += ", " + (derivative.seed_size.empty()
                      ? "std::move(" + seed + ")"
                      : "ddx::detail::elements(" + seed + ", r." + derivative.seed_size + ")");
  // The tangents of the arguments, in order of position.
  const unsigned count = request.primal->getNumParams() - 1;
  for (unsigned i = 0; i < count; ++i) {
    const auto* selected = llvm::find(request.wrt, i);
    if (selected != request.wrt.end()) {
      const std::string part =
          "std::get<" + std::to_string(selected - request.wrt.begin()) + ">(tangents)";
      list +=
          ", " + (derivative.takes_flat(arguments.places[i]) ? "std::data(" + part + ")" : part);
    }
  }
  return (batched ? derivative.reverse_batched() + "<lanes>" : derivative.reverse()) + "(" + list +
         ", arena);";
}

namespace {

/// Declares the arena of a gradient: that of the thread, or, where nothing is taken from it, one
/// that costs nothing.
std::string arena_of(const Derivative& derivative) {
  return derivative.uses_arena
             ? "  ddx::detail::ArenaScope scope;\n  ddx::detail::Arena& arena = scope.arena();\n"
             : "  ddx::detail::Arena arena;\n";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) {
    list += text + ", ";
  }
  return list;
}

}  // namespace

std::string Driver::gradient_body(const Request& request, const FunctionDecl* target) {
  EntryArguments arguments;
  Derivative* derivative = derive_request(request, target, arguments);
  if (!derivative) {
    return "";
  }
  const std::string value = context_.names.type(request.entry->getReturnType());
  return arena_of(*derivative) + "  " + derivative->residuals() + " r;\n  " + value +
         " value = " + derivative->forward() + "(" + joined(arguments.texts) +
         "r, arena);\n  auto seed = ddx::detail::unit_seed(value);\n  " +
         reverse_call(*derivative, arguments, request, "seed") + "\n  return value;\n";
}

/// The reverse sweeps that serve several rows at once, of a derivative and of all that it calls.
void Driver::add_batched(Derivative& derivative) {
  if (derivative.has_batched) {
    return;
  }
  {
    const StageTimes::Span span(options_.times.get(), Timed::Emit);
    emit_batched_sweep(context_, derivative, Writes(derivative.function));
  }
  for_each_statement(derivative.function.body, [&](const Statement* call) {
    if (call->kind == Statement::Kind::Call && call->reversed && call->derivative) {
      add_batched(*call->derivative);
    }
  });
  verify(derivative);
  declarations_ += derivative.batched_declarations;
  definitions_ += derivative.batched_definitions;
}

std::string Driver::rows_body(const Request& request, const FunctionDecl* target) {
  EntryArguments arguments;
  Derivative* derivative = derive_request(request, target, arguments);
  if (!derivative) {
    return "";
  }
  const std::string value = context_.names.type(request.entry->getReturnType());
  const std::string one = "  const auto one_row = [&](auto&& seed, auto& tangents) {\n    " +
                          reverse_call(*derivative, arguments, request, "seed") + "\n  };\n";
  llvm::SmallPtrSet<const Derivative*, 8> met;
  const bool at_once = can_batch_cotangents(*derivative, context_.types, met);
  if (at_once) {
    add_batched(*derivative);
  }
  const std::string several =
      !at_once
          ? ""
          : "  const auto several_rows = [&]<std::size_t lanes>(ddx::detail::LaneCount<lanes>, "
            "auto&& seed, auto& tangents) {\n    " +
                reverse_call(*derivative, arguments, request, "seed", true) + "\n  };\n";
  return arena_of(*derivative) + "  " + derivative->residuals() + " r;\n  " + value +
         " value = " + derivative->forward() + "(" + joined(arguments.texts) +
         "r, arena);\n  rows.begin(value);\n" + one + several +
         "  ddx::detail::run_rows(rows, arena, one_row" + (at_once ? ", several_rows" : "") +
         ");\n  return value;\n";
}

std::string Driver::differential_body(const Request& request, const FunctionDecl* target) {
  EntryArguments arguments;
  Derivative* derivative = derive_request(request, target, arguments);
  if (!derivative) {
    return "";
  }
  std::string list = joined(arguments.texts);
  for (unsigned i = 0; i + 1 < request.primal->getNumParams(); ++i) {
    const auto* selected = llvm::find(request.wrt, i);
    if (selected != request.wrt.end()) {
      list += "d" + std::to_string(selected - request.wrt.begin()) + ", ";
    }
  }
  return "  return " + derivative->tangent() + "(" + list + "differential);\n";
}

std::string Driver::pullback_body(const Request& request, const FunctionDecl* target,
                                  std::string& definitions) {
  EntryArguments arguments;
  Derivative* derivative = derive_request(request, target, arguments);
  if (!derivative) {
    return "";
  }
  const PullbackClass made = pullback_class(request, context_.names);
  const std::string name = context_.names.fresh("ddx_pullback");
  definitions += "struct " + name + " final : " + made.base + " {\n" + made.members +
                 "  ddx::detail::Arena arena;\n  " + derivative->residuals() + " r;\n  explicit " +
                 name + "(" + made.parameters + ") : " + made.initialisers +
                 " {\n    this->value.emplace(" + derivative->forward() + "(" +
                 joined(arguments.texts) +
                 "r, arena));\n  }\n  void reverse(const ddx::TangentOf<" + made.value +
                 ">& given, " + made.tangents +
                 "& tangents) override {\n    ddx::detail::ArenaScope scope(arena);\n    auto seed "
                 "= given;\n    " +
                 reverse_call(*derivative, arguments, request, "seed") + "\n  }\n};\n";
  return "  return ddx::detail::make_owned<" + name + ">(" + made.passed + ");\n";
}

namespace {

/// Calls `part` in the entry.
std::string part_call(const Request& request, llvm::StringRef part) {
  std::string arguments;
  for (const std::string& name : entry_parameters(request)) {
    arguments += (arguments.empty() ? "" : ", ") + name;
  }
  return "  return " + part.str() + "(" + arguments + ");\n";
}

}  // namespace

/// The definition of one request's entry, as `template <> inline ...`; `part` names a function that
/// serves it for one target instead.
std::string Driver::entry_head(const Request& request, const std::string& part) {
  const FunctionDecl* entry = request.entry;
  std::string parameters;
  const std::vector<std::string> names = entry_parameters(request);
  for (unsigned i = 0; i < entry->getNumParams(); ++i) {
    parameters += (i ? ", [[maybe_unused]] " : "[[maybe_unused]] ") +
                  context_.names.type(entry->getParamDecl(i)->getType()) + " " + names[i];
  }
  const std::string result = context_.names.type(entry->getReturnType());
  if (!part.empty()) {
    return "[[maybe_unused]] static inline " + result + " " + part + "(" + parameters + ") {\n";
  }
  std::string arguments;
  const auto add = [&](const TemplateArgument& single) {
    arguments += (arguments.empty() ? "" : ", ") + context_.names.type(single.getAsType());
  };
  // What follows the arguments of the function is deduced.
  const llvm::ArrayRef<TemplateArgument> written =
      entry->getTemplateSpecializationArgs()->asArray().take_front(3);
  add(written[0]);
  add(written[1]);
  for (const TemplateArgument& element : written[2].pack_elements()) {
    add(element);
  }
  return "template <> inline " + result + " ddx::detail::" + entry->getName().str() + "<" +
         arguments + ">(" + parameters + ") {\n";
}

/// The body of an entry that is promoted; empty where it is refused or must wait.
std::string Driver::promoted_body(const Request& request, const FunctionDecl* target) {
  std::string classes, body;
  switch (request.kind) {
    case Request::Kind::ValueWithGradient:
      body = gradient_body(request, target);
      break;
    case Request::Kind::Rows:
      body = rows_body(request, target);
      break;
    case Request::Kind::Pullback:
      body = pullback_body(request, target, classes);
      break;
    case Request::Kind::Differential:
      body = differential_body(request, target);
      break;
  }
  entries_ += classes.empty() ? "" : "namespace {\n" + classes + "}  // namespace\n";
  return body;
}

namespace {

/// True for functions that are objects of a class template of namespace ddx::detail.
bool is_of(const Request& request, llvm::StringRef class_template) {
  const QualType functor = request.primal->getParamDecl(0)->getType().getNonReferenceType();
  const CXXRecordDecl* record = functor->getAsCXXRecordDecl();
  return record != nullptr &&
         record->getQualifiedNameAsString() == ("ddx::detail::" + class_template).str();
}

}  // namespace

std::string Driver::memory_body(const Request& request, const FunctionDecl* target,
                                llvm::ArrayRef<const FunctionDecl*> reached) {
  if (request.kind == Request::Kind::ValueWithGradient && is_of(request, "DerivativeAlong")) {
    return "  return ddx::detail::gradient_in_forward_mode(f, tangents, a0);\n";
  }
  if (context_.memory_rules.requests.empty()) {
    entries_ += "#include <ddx/ad/detail/memory_path.h>\n" + slope_functions();
  }
  add_memory_rules(context_);
  entries_ += add_given_derivatives(context_, reached, request.kind == Request::Kind::Differential);
  MemoryEntry entry(context_, request, target);
  context_.memory_rules.requests.push_back(request.where);
  std::string body = entry.body();
  entries_ += entry.declarations();
  return body;
}

/// The body of an entry by the path that the options and the function allow; empty where neither
/// does, or where it must wait.
std::string Driver::entry_body(const Request& request, const FunctionDecl* target) {
  if (options_.promotion == Promotion::None || is_of(request, "GradientThroughMemory")) {
    const auto reached = reached_functions(context_, target ? target : request.primal);
    if (memory_limit(context_, request, reached.by_name()) == MemoryLimit::None) {
      return memory_body(request, target, reached.all);
    }
  }
  std::string body = promoted_body(request, target);
  const bool waits = deferred_ && held_.empty();
  if (!body.empty() || waits || options_.promotion == Promotion::All) {
    held_.release();
    return body;
  }
  // A class that names its differentiable members must name all: the tangent has no place for
  // others.
  const bool lacks_members =
      llvm::any_of(std::initializer_list<Diagnostic>{Diagnostic::UnsupportedField,
                                                     Diagnostic::UnsupportedListedField,
                                                     Diagnostic::UnsupportedListedBase},
                   [&](Diagnostic one) { return held_.holds(one); });
  const auto reached = reached_functions(context_, target ? target : request.primal);
  if (lacks_members || memory_limit(context_, request, reached.by_name()) != MemoryLimit::None) {
    held_.release();
    return "";
  }
  deferred_ = false;  // It is refused, whatever it waits for.
  if (options_.explains) {
    held_.release_as_remarks();
  }
  held_.drop();
  return memory_body(request, target, reached.all);
}

/// The entry for functions behind pointers: it asks which one it is. What need not wait for another
/// part of the same entry is written as a function of its own where others must.
std::string Driver::entry_by_pointer(const Request& request) {
  Request asked = request;      // Of one function, at the place that names it.
  if (asked.targets.empty()) {  // A variable, or a member: any function of the unit may be meant.
    const QualType functor = request.primal->getParamDecl(0)->getType().getNonReferenceType();
    for (const FunctionDecl* stored : context_.types.stored_functions(functor)) {
      asked.targets.push_back({stored, request.where});
    }
  }
  if (asked.targets.empty()) {
    report(context_.sema.getDiagnostics(), Diagnostic::UnsupportedEntryPointer, request.where);
    return "";
  }
  std::vector<std::pair<const FunctionDecl*, std::string>> made;
  std::string body;
  bool accepted = true;
  bool is_deferred = false;
  for (const auto& [target, where] : asked.targets) {  // Each says what is wrong with it.
    asked.where = where;
    const llvm::StringRef written = context_.entry_parts.find(request.entry, target);
    const std::size_t through_memory = context_.memory_rules.requests.size();
    std::string part = written.empty() ? entry_body(asked, target) : part_call(request, written);
    if (context_.memory_rules.requests.size() > through_memory) {
      // Where the pointer is known, a derivative then depends on this function alone.
      const std::string name = context_.names.fresh("ddx_entry");
      entries_ += entry_head(request, name) + part + "}\n";
      part = part_call(request, name);
    }
    if (take_deferred()) {
      is_deferred = true;
      continue;
    }
    accepted = accepted && !part.empty();
    body += "  if (f == &" + context_.names.function(target) + ") {\n" + part + "  }\n";
    if (written.empty()) {
      made.emplace_back(target, std::move(part));
    }
  }
  deferred_ = is_deferred;
  if (!accepted) {
    return "";
  }
  if (!is_deferred) {
    return entry_with_table(request, asked, body);
  }
  for (const auto& [target, part] : made) {
    const std::string name = context_.names.fresh("ddx_entry");
    entries_ += entry_head(request, name) + part + "}\n";
    context_.entry_parts.add(request.entry, target, name);
  }
  return "";
}

/// The entry, and the table by which the entries of other units find what this one knows: the
/// functions of `asked`, each with its branch in `body`.
std::string Driver::entry_with_table(const Request& request, const Request& asked,
                                     const std::string& body) {
  const std::string own = context_.names.fresh("ddx_entry");
  const std::string table = context_.names.fresh("ddx_entry_table");
  const TemplateArgument& wrt = request.entry->getTemplateSpecializationArgs()->get(0);
  const std::string tables = "ddx::detail::EntryTables<" + context_.names.type(wrt.getAsType()) +
                             ", decltype(&" + own + ")>";
  std::string functions, is_known;
  for (const auto& [target, where] : asked.targets) {
    const std::string address = "&" + context_.names.function(target);
    functions += (functions.empty() ? "" : ", ") + address;
    is_known += (is_known.empty() ? "" : " || ") + ("f == " + address);
  }
  context_.entry_parts.add_own(request.entry, own);
  // What is known is called by name: its derivatives can be differentiated again.
  return entry_head(request, own) + body + "  ddx::detail::throw_unnamed_function();\n}\n" +
         entry_head(request, "") + "  if (" + is_known + ") {\n" + part_call(request, own) +
         "  }\n" + part_call(request, tables + "::find(f)") + "}\nnamespace {\nconstexpr " +
         tables + "::Function " + table + "_functions[] = {" + functions + "};\nconstinit " +
         tables + "::Table " + table + "(" + table + "_functions, &" + own +
         ");\n[[gnu::constructor(101)]] void " + table + "_enter() { " + table +
         ".enter(); }\n[[gnu::destructor(101)]] void " + table + "_leave() { " + table +
         ".leave(); }\n}  // namespace\n";
}

std::string Driver::entry(const Request& request) {
  const QualType functor = request.primal->getParamDecl(0)->getType().getNonReferenceType();
  if (functor->isFunctionPointerType()) {
    return entry_by_pointer(request);
  }
  const std::string body = entry_body(request, nullptr);
  return body.empty() ? "" : entry_head(request, "") + body + "}\n";
}

}  // namespace ddx::compiler
