// Loops over ranges seen through adaptors of the library: `v | std::views::reverse`, `take`,
// `drop`, `transform`, `filter`, `keys`, `values`. The loop counts over the places of what is at
// the bottom; `transform` and `filter` are calls in front of the body, made as often as the library
// makes them.

#include "compiler/lower/adapted_range.h"
#include "compiler/lower/lowering.h"
#include "compiler/lower/moving_expressions.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// The end of numbers without end, in steps from any number that an integer holds.
constexpr const char* endless = "std::numeric_limits<std::ptrdiff_t>::max() / 2";

/// The object of namespace std::ranges::views that `expression` names: "reverse".
llvm::StringRef adaptor_name(const Expr* expression) {
  const VarDecl* variable = named_variable(expression);
  const auto* space = variable ? dyn_cast<NamespaceDecl>(variable->getDeclContext()) : nullptr;
  const bool known = space && space->getName() == "views" && in_library(space);
  return known ? variable->getName() : llvm::StringRef();
}

/// The adaptor called `name`, given what it takes besides the range.
std::optional<Adaptor> adaptor(llvm::StringRef name, const Expr* argument) {
  using Kind = Adaptor::Kind;
  const std::pair<llvm::StringRef, Adaptor> plain[] = {{"reverse", {Kind::Reverse}},
                                                       {"keys", {Kind::Part, nullptr, 0}},
                                                       {"values", {Kind::Part, nullptr, 1}},
                                                       {"all", {Kind::All}}};
  const std::pair<llvm::StringRef, Kind> taking[] = {{"take", Kind::Take},
                                                     {"drop", Kind::Drop},
                                                     {"transform", Kind::Transform},
                                                     {"filter", Kind::Filter}};
  for (const auto& [known, made] : plain) {
    if (!argument && name == known) {
      return made;
    }
  }
  for (const auto& [known, kind] : taking) {
    if (argument && name == known) {
      return Adaptor{kind, argument, 0};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<AdaptedRange> adapted_range(const Expr* expression) {
  const auto* call = dyn_cast<CXXOperatorCallExpr>(below_copies(expression));
  if (!call || !call->getDirectCallee() || !in_library(call->getDirectCallee())) {
    return std::nullopt;
  }
  const Expr* below = nullptr;
  std::optional<Adaptor> added;
  if (call->getOperator() == OO_Pipe) {
    below = call->getArg(0);
    const Expr* right = below_copies(call->getArg(1));
    const auto* given = dyn_cast<CXXOperatorCallExpr>(right);
    added = given && given->getOperator() == OO_Call && given->getNumArgs() == 2
                ? adaptor(adaptor_name(given->getArg(0)), given->getArg(1))
                : adaptor(adaptor_name(right), nullptr);
  } else if (call->getOperator() == OO_Call && call->getNumArgs() >= 2) {
    below = call->getArg(1);
    const llvm::StringRef name = adaptor_name(call->getArg(0));
    if (name == "iota") {
      return below->getType()->isIntegerType()
                 ? std::optional(AdaptedRange{
                       nullptr, below, call->getNumArgs() == 3 ? call->getArg(2) : nullptr, {}})
                 : std::nullopt;
    }
    added = call->getNumArgs() <= 3
                ? adaptor(name, call->getNumArgs() == 3 ? call->getArg(2) : nullptr)
                : std::nullopt;
  }
  if (!added) {
    return std::nullopt;
  }
  auto range = adapted_range(below);
  if (!range) {
    range = AdaptedRange{below, nullptr, nullptr, {}};
  }
  range->adaptors.push_back(*added);
  return range;
}

namespace {

/// The function that a call of `target` with an element of type `element` means, where the class of
/// a closure does not tell: the instance that the library has called.
Binding called_with(Binding target, QualType element) {
  if (target.kind != Binding::Kind::Closure || operator_of(target)) {
    return target;
  }
  const CXXMethodDecl* pattern = call_operator(target.closure->record);
  const FunctionTemplateDecl* operators =
      pattern ? pattern->getDescribedFunctionTemplate() : nullptr;
  if (!operators) {
    return target;
  }
  for (const FunctionDecl* instance : operators->specializations()) {
    if (instance->getNumParams() == 1 && instance->isDefined() &&
        instance->getParamDecl(0)
                ->getType()
                .getNonReferenceType()
                .getCanonicalType()
                .getUnqualifiedType() == element.getCanonicalType().getUnqualifiedType()) {
      target.function = instance;
    }
  }
  return target;
}

QualType result_of(const Binding& target) {
  const FunctionDecl* called = target.function;
  if (!called && target.kind == Binding::Kind::Closure) {
    called = operator_of(target);
  }
  return called                                 ? called->getReturnType()
         : target.kind == Binding::Kind::Member ? target.member->getType()
                                                : QualType();
}

}  // namespace

/// Calls `target` with the element at `element`. Returns: where the result lies.
std::optional<Path> Lowering::call_with_element(const Binding& target, const Path& element,
                                                SourceLocation where) {
  const Binding called = called_with(target, element.type);
  const QualType result = result_of(called);
  if (result.isNull()) {
    return std::nullopt;
  }
  auto* const named = new (context_.ast) OpaqueValueExpr(where, element.type, VK_LValue);
  auto* const call = new (context_.ast) OpaqueValueExpr(
      where, result.getNonReferenceType(), result->isReferenceType() ? VK_LValue : VK_PRValue);
  places_[named] = object_at(element);
  std::optional<Path> reference;
  Value* const value = call_target(called, call, {named}, &reference);
  if (reference || !value) {
    return reference;
  }
  Path made;
  made.type = result.getNonReferenceType().getUnqualifiedType();
  made.root = new_root(Root::Kind::Local, "element", made.type, where);
  declare_local(made.root, where)->value = value;
  return made;
}

/// Evaluates what the adaptors of `expression` take, where it is an adapted range or a variable
/// that is one.
std::optional<PreparedRange> Lowering::prepare_range(const Expr* expression) {
  if (const auto known = adapted_.find(named_variable(expression)); known != adapted_.end()) {
    return known->second;
  }
  const auto written = adapted_range(expression);
  if (!written) {
    return std::nullopt;
  }
  const QualType place = context_.ast.getPointerDiffType();
  const auto number = [&](const Expr* given) {
    return convert(rvalue(given), place, given->getExprLoc());
  };
  PreparedRange prepared;
  const auto lower =
      written->below ? adapted_.find(named_variable(written->below)) : adapted_.end();
  if (lower != adapted_.end()) {
    prepared = lower->second;
  } else {
    prepared.range = *written;
    prepared.range.adaptors.clear();
    prepared.first = written->first ? number(written->first) : nullptr;
    prepared.last = written->last ? number(written->last) : nullptr;
  }
  using Kind = Adaptor::Kind;
  for (const Adaptor& adaptor : written->adaptors) {
    const bool calls = adaptor.kind == Kind::Transform || adaptor.kind == Kind::Filter;
    prepared.range.adaptors.push_back(adaptor);
    prepared.counts.push_back(adaptor.argument && !calls ? number(adaptor.argument) : nullptr);
    prepared.targets.push_back(calls ? callable(adaptor.argument) : Binding());
    if (calls && !prepared.targets.back().stands_for_callable()) {
      return std::nullopt;
    }
  }
  return prepared;
}

/// `auto back = v | std::views::reverse`: a view of a variable, which loops may run over.
bool Lowering::declare_adapted_range(const VarDecl* variable) {
  const auto written = variable->getInit() ? adapted_range(variable->getInit()) : std::nullopt;
  const VarDecl* const below = written && written->below ? named_variable(written->below) : nullptr;
  if (!written || !context_.types.may_hold_real(variable->getType()) ||
      (written->below && (!below || below->getType()->isPointerType()))) {
    return false;
  }
  auto prepared = prepare_range(variable->getInit());
  if (prepared) {
    adapted_[variable] = std::move(*prepared);
  }
  return prepared.has_value();
}

/// The places that the loop counts over, and what they hold. None where how many there are is not
/// known in front of it.
std::optional<CountedRange> Lowering::count_range(const PreparedRange& prepared,
                                                  SourceLocation where) {
  const QualType place = context_.ast.getPointerDiffType();
  CountedRange counted;
  if (const Expr* below = prepared.range.below) {
    counted.begin = literal("0", place, where);
    const auto shown = context_.types.viewed(below->getType()) ? view(below) : std::nullopt;
    if (shown) {
      counted.end = extent_of(*shown, place, where);
      counted.at = [this, path = shown->path](Value* position) { return *offset(path, position); };
    } else {
      const Expr* const named = below_copies(below);
      const auto whole = named->isGLValue() ? lvalue(named) : std::optional(materialise(named));
      const Container kind = whole ? Types::container(whole->type) : Container::None;
      if (kind != Container::CArray && kind != Container::StdArray &&
          kind != Container::StdVector && kind != Container::StdDeque) {
        return std::nullopt;
      }
      const Binding alias = bind_alias(*whole, false, "range", where);
      counted.end = new_value(Value::Kind::Text, place, where);
      counted.end->text = "std::ssize(" + hole(*alias.alias) + ")";
      counted.end->reads = {alias.alias, whole->root};
      counted.end->cheap = true;
      define(counted.end);
      counted.at = [this, path = *whole](Value* position) {
        return *element_path(path, position, context_.types.element(path.type));
      };
    }
  } else {
    counted.begin = prepared.first;
    counted.end = prepared.last ? prepared.last : literal(endless, place, where);
    const QualType type = prepared.range.first->getType().getUnqualifiedType();
    counted.at = [this, where, type](Value* position) {
      Path number;
      number.type = type;
      number.root = new_root(Root::Kind::Local, "number", type, where);
      declare_local(number.root, where)->value = convert(position, type, where);
      return number;
    };
  }
  bool reversed = false;
  bool filtered = false;
  for (std::size_t i = 0; i < prepared.counts.size(); ++i) {
    using Kind = Adaptor::Kind;
    const Kind kind = prepared.range.adaptors[i].kind;
    reversed = reversed != (kind == Kind::Reverse);
    filtered = filtered || kind == Kind::Filter;
    if (Value* const count = prepared.counts[i]) {
      if (filtered) {
        return std::nullopt;
      }
      // `count` of the places remain, or all but `count`, or none.
      Value* const parts[] = {counted.begin, counted.end, count};
      const std::string least = "std::min<std::ptrdiff_t>($2, $1 - $0)";
      const bool drops = kind == Kind::Drop;
      if (drops != reversed) {
        counted.begin = form(drops ? "$0 + " + least : "$1 - " + least, place, parts, where);
      } else {
        counted.end = form(drops ? "$1 - " + least : "$0 + " + least, place, parts, where);
      }
    }
  }
  counted.reversed = reversed;
  return counted;
}

bool Lowering::lower_adapted_range(const CXXForRangeStmt* source) {
  const Expr* const expression = source->getRangeInit();
  if (!adapted_.contains(named_variable(expression)) && !adapted_range(expression)) {
    return false;
  }
  const SourceLocation where = source->getBeginLoc();
  ir::Statement* const scope = add(ir::Statement::Kind::Block, where);
  scope->body = new_block(scope, block_->level);
  Block* const outer = std::exchange(block_, scope->body);
  if (source->getInit()) {
    statement(source->getInit());
  }
  const auto rejected = [&] {
    lose(expression, Diagnostic::UnsupportedRange,
         {readable_type(expression->getType(), context_.ast)});
    block_ = outer;
    return true;
  };
  const auto prepared = prepare_range(expression);
  const auto counted = prepared ? count_range(*prepared, where) : std::nullopt;
  if (!counted) {
    return rejected();
  }
  ir::Statement* const loop = open_loop(source, ir::Statement::LoopForm::Counted);
  loop->begin = counted->begin;
  loop->end = counted->end;
  const QualType place = context_.ast.getPointerDiffType();
  Root* const index = new_root(Root::Kind::Induction, "k", place, where);
  index->level = loop->inner;
  index->block = loop->body;
  loop->root = index;
  block_ = loop->body;
  Value* position = value_in(*index, where);
  if (counted->reversed) {
    position = form("$0 + $1 - 1 - $2", place, {counted->begin, counted->end, position}, where);
  }
  const std::vector<Adaptor>& adaptors = prepared->range.adaptors;
  // The element after the first `count` adaptors. What a filter lets pass is made once more, as the
  // library does.
  const auto element_after = [&](std::size_t count) -> std::optional<Path> {
    std::optional<Path> element = counted->at(position);
    for (std::size_t i = 0; i < count && element; ++i) {
      if (adaptors[i].kind == Adaptor::Kind::Transform) {
        element = call_with_element(prepared->targets[i], *element, where);
      } else if (adaptors[i].kind == Adaptor::Kind::Part) {
        const bool is_pair = Types::container(element->type) == Container::StdPair;
        element = is_pair ? std::optional(part_path(*element, adaptors[i].part)) : std::nullopt;
      }
    }
    return element;
  };
  for (std::size_t i = 0; i < adaptors.size(); ++i) {
    if (adaptors[i].kind == Adaptor::Kind::Filter) {
      const auto element = element_after(i);
      const auto passes =
          element ? call_with_element(prepared->targets[i], *element, where) : std::nullopt;
      if (!passes) {
        return rejected();
      }
      block_ = add_if(convert(load(*passes, where), context_.ast.BoolTy, where), where)->body;
    }
  }
  const auto element = element_after(adaptors.size());
  if (!element) {
    return rejected();
  }
  declare_loop_variable(source, *element);
  lower_loop_body(loop, block_, source->getBody());
  block_ = outer;
  return true;
}

}  // namespace ddx::compiler
