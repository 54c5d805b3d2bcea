// std::map and std::unordered_map: objects with a place for each key, and at run time the keys that
// they have. An element is a pair that its key finds; which keys there are is decided by actions of
// their own.

#include "compiler/lower/lowering.h"
#include "compiler/support/function_names.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// Below copies and conversions of an iterator.
const Expr* below_iterator(const Expr* iterator) {
  for (;;) {
    iterator = iterator->IgnoreParenImpCasts();
    const auto* construction = dyn_cast<CXXConstructExpr>(iterator);
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(iterator)) {
      iterator = temporary->getSubExpr();
    } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(iterator)) {
      iterator = bound->getSubExpr();
    } else if (const auto* cleanups = dyn_cast<ExprWithCleanups>(iterator)) {
      iterator = cleanups->getSubExpr();
    } else if (construction && construction->getNumArgs() == 1 &&
               Types::is_map_iterator(construction->getArg(0)->getType())) {
      iterator = construction->getArg(0);
    } else {
      return iterator;
    }
  }
}

/// True for a string that is written there.
bool is_literal(const Expr* key) {
  key = key->IgnoreImplicit();
  if (const auto* construction = dyn_cast<CXXConstructExpr>(key)) {
    return construction->getNumArgs() > 0 && is_literal(construction->getArg(0));
  }
  return isa<StringLiteral>(key);
}

const CXXMethodDecl* member_of_map(const CXXMemberCallExpr* call) {
  const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
  const ASTContext* ast = method ? &method->getASTContext() : nullptr;
  return method && Types::container(ast->getRecordType(method->getParent())) == Container::StdMap
             ? method
             : nullptr;
}

bool is_same(const Path& a, const Path& b) {
  return a.root == b.root && std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(),
                                        b.steps.end(), [](const Step& one, const Step& other) {
                                          return one.field == other.field &&
                                                 one.base == other.base && one.part == other.part &&
                                                 one.index == other.index;
                                        });
}

}  // namespace

/// True for iterators that lead to values that carry.
bool Lowering::is_map_iterator(QualType type) {
  return !type->isPointerType() && Types::is_map_iterator(type) &&
         context_.types.has_tangent(
             Types::parts(cast<ClassTemplateSpecializationDecl>(Types::record(type))
                              ->getTemplateArgs()[0]
                              .getAsType())[1]);
}

/// A copy of the key that `argument` says.
Value* Lowering::key_value(const Expr* argument, QualType map) {
  const SourceLocation where = argument->getExprLoc();
  const QualType type = Types::key(map).getUnqualifiedType();
  const Expr* source = below_temporary(argument);
  if (type->isScalarType()) {
    return convert(source->isGLValue() ? read(source, where) : rvalue(source), type, where);
  }
  Effects found = effects(argument);
  const auto text = found.lowers ? std::nullopt : text_of(argument);
  if (!text) {
    const Expr* made = below_iterator(argument);
    if (!made->isGLValue() && context_.ast.hasSameUnqualifiedType(made->getType(), type)) {
      return construct_from_numbers(made);
    }
    const auto path = source->isGLValue() ? lvalue(source) : std::nullopt;
    return path && context_.ast.hasSameUnqualifiedType(path->type, type) ? load(*path, where)
                                                                         : nullptr;
  }
  const bool same = context_.ast.hasSameUnqualifiedType(source->getType(), type) &&
                    source->isGLValue() && !isa<CallExpr>(source);
  Value* value = new_value(Value::Kind::Text, type, where);
  value->text = same ? *text : context_.names.type(type) + "(" + *text + ")";
  value->reads.assign(found.reads.begin(), found.reads.end());
  value->cheap = is_literal(source);
  define(value);
  note(block_->statements.back(), found);
  return value;
}

/// The pair of `key` in a map.
Path Lowering::entry_path(const Path& map, Value* key) {
  QualType pair = context_.types.element(map.type);
  Path entry = *element_path(map, key, map.type.isConstQualified() ? pair.withConst() : pair);
  return entry;
}

/// Gives `key`, if the map lacks it, a value made without arguments.
void Lowering::add_key(const Path& map, Value* key, SourceLocation where) {
  ir::Statement* added = add(ir::Statement::Kind::Vector, where);
  added->path = map;
  added->action = ir::Statement::VectorAction::Add;
  added->count = key;
}

/// A variable of its own for a key, which text can name.
Root* Lowering::named_key(Value* key, SourceLocation where) {
  Root* root = new_root(Root::Kind::Local, "key", key->type, where);
  ir::Statement* declaration = declare_local(root, where);
  declaration->value = key;
  return root;
}

/// The map that an iterator goes through.
std::optional<Path> Lowering::map_of(const Expr* iterator) {
  const Expr* source = below_iterator(iterator);
  if (const auto* reference = dyn_cast<DeclRefExpr>(source)) {
    const auto found = map_iterators_.find(reference->getDecl());
    return found == map_iterators_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto* call = dyn_cast<CallExpr>(source);
  if (!call || !call->getDirectCallee()) {
    return std::nullopt;
  }
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  if (const CXXMethodDecl* method = member_of_map(member)) {
    return is_named(method,
                    {"find", "begin", "end", "cbegin", "cend", "lower_bound", "upper_bound"})
               ? object_path(member->getImplicitObjectArgument())
               : std::nullopt;
  }
  return in_library(call->getDirectCallee()) &&
                 is_named(call->getDirectCallee(), {"next", "prev", "begin", "end"}) &&
                 call->getNumArgs() > 0 && is_map_iterator(call->getArg(0)->getType())
             ? map_of(call->getArg(0))
             : std::nullopt;
}

/// The text of an iterator; what must be lowered of a key that it looks for is.
std::optional<PointerText> Lowering::iterator_text(const Expr* source) {
  PointerText result{"", effects(source)};
  if (!result.effects.lowers) {
    if (auto text = text_of(source)) {
      result.text = std::move(*text);
      return result;
    }
  }
  const auto* call = dyn_cast<CXXMemberCallExpr>(source);
  const CXXMethodDecl* method = member_of_map(call);
  if (!is_named(method, {"find", "lower_bound", "upper_bound"})) {
    return std::nullopt;
  }
  const SourceLocation where = source->getExprLoc();
  const auto path = object_path(call->getImplicitObjectArgument());
  Value* const key =
      path ? key_value(call->getArg(0), context_.ast.getRecordType(method->getParent())) : nullptr;
  if (!key) {
    return std::nullopt;
  }
  Root* const alias = bind_alias(*path, false, "looked_through", where).alias;
  Root* const named = named_key(key, where);
  result.text = hole(*alias) + "." + method->getNameAsString() + "(" + hole(*named) + ")";
  result.effects = {};
  result.effects.reads = {alias, path->root, named};
  return result;
}

/// The variable that an iterator is; null where it is none.
Root* Lowering::variable_root(const Expr* iterator) {
  const auto* reference = dyn_cast<DeclRefExpr>(below_iterator(iterator));
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  const auto found = variable ? bindings_.find(variable) : bindings_.end();
  const bool known = found != bindings_.end() && found->second.kind == Binding::Kind::Object &&
                     found->second.path.steps.empty();
  return known ? found->second.path.root : nullptr;
}

/// The pair that an iterator denotes, by the key that it has now.
std::optional<Path> Lowering::map_entry(const Expr* iterator) {
  const Expr* source = below_iterator(iterator);
  const auto map = map_of(source);
  const auto text = map ? iterator_text(source) : std::nullopt;
  if (!text) {
    return std::nullopt;
  }
  Value* key = new_value(Value::Kind::Text, Types::key(map->type), iterator->getExprLoc());
  key->text = "(" + text->text + ")->first";
  key->reads.assign(text->effects.reads.begin(), text->effects.reads.end());
  define(key);
  note(block_->statements.back(), text->effects);
  Path entry = entry_path(*map, key);
  const QualType pair = cast<ClassTemplateSpecializationDecl>(Types::record(source->getType()))
                            ->getTemplateArgs()[0]
                            .getAsType();
  const bool is_const = Types::record(source->getType())->getName().contains("const_iterator");
  entry.type = is_const || entry.type.isConstQualified() ? pair.withConst() : pair;
  return entry;
}

/// An iterator is an object that text moves about; the map that it goes through is known.
bool Lowering::declare_map_iterator(const VarDecl* variable) {
  if (variable->getType()->isReferenceType() || !is_map_iterator(variable->getType())) {
    return false;
  }
  const SourceLocation where = variable->getLocation();
  const auto map = variable->getInit() ? map_of(variable->getInit()) : std::nullopt;
  const auto text = map ? iterator_text(below_iterator(variable->getInit())) : std::nullopt;
  if (!text) {
    bindings_[variable] = {};
    lose(variable->getInit(), Diagnostic::UnsupportedIterator, {variable->getNameAsString()});
    function_.statements.back().unplaced.push_back(variable);
    return true;
  }
  Root* root = new_root(Root::Kind::Local, variable->getNameAsString(), variable->getType(), where);
  root->stands_in_map = true;
  ir::Statement* declaration = declare_local(root, where);
  declaration->text = " = " + text->text;
  note(declaration, text->effects);
  Path place;
  place.root = root;
  place.type = variable->getType();
  bindings_[variable] = object_at(place);
  map_iterators_[variable] = *map;
  return true;
}

/// `i = m.find(k)`, `i = m.erase(i)`, `++i`: as text, where the map stays the same.
bool Lowering::move_map_iterator(const FunctionDecl* callee, const Expr* source,
                                 const Expr* iterator, llvm::ArrayRef<const Expr*> arguments) {
  const auto map = isa<DeclRefExpr>(below_iterator(iterator)) ? map_of(iterator) : std::nullopt;
  if (!map) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  const auto name = text_of(iterator);
  Root* const target = name ? variable_root(iterator) : nullptr;
  if (!target) {
    return false;
  }
  const auto add_as = [&](std::string text, Effects found) {
    found.writes.push_back(target);
    ir::Statement* moved = add(ir::Statement::Kind::Text, where);
    moved->text = std::move(text);
    note(moved, found);
    return true;
  };
  if (callee->getOverloadedOperator() == OO_Equal) {
    const Expr* value = below_iterator(arguments[0]);
    const auto* call = dyn_cast<CXXMemberCallExpr>(value);
    if (is_named(member_of_map(call), {"erase"}) && call->getNumArgs() == 1 &&
        is_map_iterator(call->getArg(0)->getType())) {
      const auto erased = map_entry(call->getArg(0));
      const auto from = object_path(call->getImplicitObjectArgument());
      const auto next = iterator_text(below_iterator(call->getArg(0)));
      if (!erased || !from || !is_same(*from, *map) || !next) {
        return false;
      }
      Root* behind =
          new_root(Root::Kind::Local, "next", iterator->getType().getUnqualifiedType(), where);
      behind->stands_in_map = true;
      ir::Statement* declaration = declare_local(behind, where);
      declaration->text = " = std::next(" + next->text + ")";
      note(declaration, next->effects);
      erase_key(*map, erased->steps.back().index[0], where);
      Effects reads;
      reads.reads.push_back(behind);
      return add_as(*name + " = " + hole(*behind), reads);
    }
    const auto other = map_of(value);
    const auto text = other && is_same(*other, *map) ? iterator_text(value) : std::nullopt;
    return text && add_as(*name + " = " + text->text, text->effects);
  }
  Effects reads;
  reads.reads.push_back(target);
  const bool onward = callee->getOverloadedOperator() == OO_PlusPlus;
  return add_as((onward ? "++" : "--") + *name, reads);
}

void Lowering::erase_key(const Path& map, Value* key, SourceLocation where) {
  ir::Statement* erased = add(ir::Statement::Kind::Vector, where);
  erased->path = map;
  erased->action = ir::Statement::VectorAction::Erase;
  erased->count = key;
}

/// Operators of iterators of maps.
bool Lowering::map_iterator_call(const FunctionDecl* callee, const Expr* source, const Expr* object,
                                 llvm::ArrayRef<const Expr*> arguments, Value** value,
                                 std::optional<Path>* reference) {
  if (!in_library(callee) || !object || !is_map_iterator(object->getType()) ||
      !isa<CXXMethodDecl>(callee)) {
    return false;
  }
  switch (callee->getOverloadedOperator()) {
    case OO_Star:
    case OO_Arrow:
      *reference = map_entry(object);
      if (!*reference) {
        *value = unsupported(source, Diagnostic::UnsupportedContainerCall,
                             {callee->getQualifiedNameAsString()});
        function_.statements.back().always = true;
      }
      return true;
    case OO_Equal:
    case OO_PlusPlus:
    case OO_MinusMinus:
      if (source != discarded_ || !move_map_iterator(callee, source, object, arguments)) {
        *value = unsupported(source, Diagnostic::UnsupportedContainerCall,
                             {callee->getQualifiedNameAsString()});
        function_.statements.back().always = true;
      }
      return true;
    default:
      return false;
  }
}

/// The elements of braces, one after the other; the first of several with one key stays.
bool Lowering::insert_elements(const Path& map, const CXXStdInitializerListExpr* list) {
  const auto* elements = dyn_cast<InitListExpr>(below_iterator(list->getSubExpr()));
  if (!elements) {
    return false;
  }
  return llvm::all_of(elements->inits(), [&](const Expr* element) {
    const Path pair = materialise(element);
    auto* named = new (context_.ast)
        OpaqueValueExpr(element->getExprLoc(), pair.type.getUnqualifiedType(), VK_LValue);
    places_[named] = bind_alias(pair, false, "given", element->getExprLoc());
    return call_on(map, "map_insert", element, {named});
  });
}

/// A new map.
bool Lowering::initialise_map(const Path& target, const CXXConstructExpr* construction) {
  if (construction->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(construction->getArg(0))) {
    return true;
  }
  const auto* list = dyn_cast<CXXStdInitializerListExpr>(
      below_temporary(construction->getArg(0))->IgnoreImplicit());
  return list && insert_elements(target, list);
}

/// The members of maps.
bool Lowering::map_member(const CXXMethodDecl* method, const Expr* source, const Expr* object,
                          llvm::ArrayRef<const Expr*> arguments, Value** value,
                          std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const std::string name = method->getIdentifier() ? method->getNameAsString() : "";
  const OverloadedOperatorKind symbol = method->getOverloadedOperator();
  const QualType type = context_.ast.getRecordType(method->getParent());
  const auto rejected = [&] {
    *value = unsupported(source, Diagnostic::UnsupportedContainerCall,
                         {method->getQualifiedNameAsString()});
    return true;
  };
  if (symbol == OO_Equal) {
    const auto* list = dyn_cast<CXXStdInitializerListExpr>(arguments[0]->IgnoreImplicit());
    if (!list) {
      return false;
    }
    Path made;
    made.type = type;
    made.root = new_root(Root::Kind::Local, "temporary", type, where);
    ir::Statement* declaration = declare_local(made.root, where);
    declaration->text = "{}";
    const bool known = insert_elements(made, list);
    const auto path = known ? object_path(object) : std::nullopt;
    if (!path) {
      return rejected();
    }
    store(*path, load(made, where), where);
    *reference = path;
    return true;
  }
  if (symbol == OO_Subscript || name == "at") {
    const auto path = object_path(object);
    Value* key = path ? key_value(arguments[0], type) : nullptr;
    if (!key) {
      return rejected();
    }
    if (name == "at") {  // Keep the check: a key that is not there throws as before.
      ir::Statement* check = add(ir::Statement::Kind::Check, where);
      check->path = *path;
      check->value = key;
    } else {
      add_key(*path, key, where);
    }
    *reference = part_path(entry_path(*path, key), 1);
    return true;
  }
  if (name == "size" || name == "empty" || name == "count" || name == "contains" ||
      name == "max_size" || name == "bucket_count" || name == "load_factor") {
    const auto path = object_path(object);
    if (!path || arguments.size() > 1) {
      return rejected();
    }
    std::string text = "." + name + "(";
    llvm::SmallVector<Root*, 2> named;
    if (!arguments.empty()) {
      Value* key = key_value(arguments[0], type);
      if (!key) {
        return rejected();
      }
      named.push_back(named_key(key, where));
      text += hole(*named.back());
    }
    Value* asked = text_about(*path, text + ")", source->getType(), where);
    asked->reads.append(named.begin(), named.end());
    asked->cheap = false;
    *value = asked;
    return true;
  }
  const bool is_discarded = source == discarded_;
  if (name == "clear" && arguments.empty()) {
    const auto path = object_path(object);
    if (!path) {
      return rejected();
    }
    ir::Statement* cleared = add(ir::Statement::Kind::Vector, where);
    cleared->path = *path;
    cleared->action = ir::Statement::VectorAction::Clear;
    return true;
  }
  if (name == "erase" && arguments.size() == 1 && is_discarded) {
    const auto path = object_path(object);
    const QualType given = arguments[0]->getType();
    Value* key = nullptr;
    if (path && Types::is_map_iterator(given)) {
      const auto entry = map_entry(arguments[0]);
      key = entry && entry->steps.back().index.size() == 1 ? entry->steps.back().index[0] : nullptr;
    } else if (path) {
      key = key_value(arguments[0], type);
    }
    if (!key) {
      return rejected();
    }
    erase_key(*path, key, where);
    return true;
  }
  if (name == "swap" && arguments.size() == 1 && !object->getType()->isPointerType()) {
    const FunctionDecl* plain = plain_function("swap", {object, arguments[0]});
    if (!plain) {
      return rejected();
    }
    lower_call(plain, source, nullptr, {object, arguments[0]}, reference);
    return true;
  }
  if (name == "insert" && arguments.size() == 1 && is_discarded) {
    if (const auto* list = dyn_cast<CXXStdInitializerListExpr>(arguments[0]->IgnoreImplicit())) {
      const auto path = object_path(object);
      return path && insert_elements(*path, list) ? true : rejected();
    }
  }
  if ((name == "insert" || name == "emplace" || name == "try_emplace" ||
       name == "insert_or_assign") &&
      is_discarded && !object->getType()->isPointerType() &&
      llvm::none_of(arguments, [](const Expr* argument) {
        return Types::is_map_iterator(argument->getType());
      })) {
    llvm::SmallVector<const Expr*> with_object = {object};
    with_object.append(arguments.begin(), arguments.end());
    const FunctionDecl* plain = plain_function("map_" + name, with_object);
    if (!plain) {
      return rejected();
    }
    lower_call(plain, source, nullptr, with_object, reference);
    return true;
  }
  if (name == "reserve" || name == "rehash") {
    const Effects found = effects(source);
    const auto text = text_of(source);
    if (!text) {
      return rejected();
    }
    ir::Statement* kept = add(ir::Statement::Kind::Text, where);
    kept->text = *text;
    kept->reads.assign(found.reads.begin(), found.reads.end());
    kept->harmless = true;
    return true;
  }
  return rejected();
}

/// `for (auto& [key, value] : map)`: over the keys that it has when the loop is entered.
bool Lowering::lower_map_range(const CXXForRangeStmt* source, const Path& range) {
  const SourceLocation where = source->getBeginLoc();
  const QualType size_type = context_.ast.getSizeType();
  auto* map = new (context_.ast) OpaqueValueExpr(where, range.type.getUnqualifiedType(), VK_LValue);
  const FunctionDecl* list = plain_function("map_keys", {map});
  const VarDecl* variable = source->getLoopVariable();
  if (!list) {
    return false;
  }
  Root* const alias = bind_alias(range, false, "range", where).alias;
  alias->is_constant = true;
  Root* const keys = new_root(Root::Kind::Local, "keys", list->getReturnType(), where);
  ir::Statement* declaration = declare_local(keys, where);
  declaration->text = " = ddx::detail::algorithms::map_keys(" + hole(*alias) + ")";
  declaration->reads = {alias, range.root};
  Value* const begin = literal("0", size_type, where);
  Value* const end = new_value(Value::Kind::Text, size_type, where);
  end->text = hole(*keys) + ".size()";
  end->reads = {keys};
  end->cheap = true;
  define(end);
  Block* const scope = block_;
  ir::Statement* loop = open_loop(source, ir::Statement::LoopForm::Counted);
  loop->begin = begin;
  loop->end = end;
  Root* const place = new_root(Root::Kind::Induction, "k", size_type, where);
  place->level = loop->inner;
  place->block = loop->body;
  loop->root = place;
  block_ = loop->body;
  const auto check = [&] {
    ir::Statement* checked = add(ir::Statement::Kind::Text, where);
    checked->text = "ddx::detail::check_keys(" + hole(*keys) + ", " + hole(*alias) + ")";
    checked->reads = {keys, alias, range.root};
    checked->harmless = true;
  };
  check();
  Value* const key = new_value(Value::Kind::Text, Types::key(range.type), where);
  key->text = hole(*keys) + "[" + hole(*place) + "]";
  key->reads = {keys, place};
  key->cheap = true;
  define(key);
  Path entry = entry_path(range, key);
  Binding bound;
  if (variable->getType()->isReferenceType()) {
    entry.type = variable->getType().getNonReferenceType();
    bound = bind_alias(entry, false, variable->getNameAsString(), variable->getLocation());
  } else {
    bound = object_at(copy_of_entry(entry, variable->getType(), variable->getNameAsString(),
                                    variable->getLocation()));
  }
  if (const auto* decomposition = dyn_cast<DecompositionDecl>(variable)) {
    unsigned position = 0;
    for (const BindingDecl* binding : decomposition->bindings()) {
      name_part(binding, part_path(bound.path, position++));
    }
  }
  bindings_[variable] = bound;
  block_ = scope;
  lower_loop_body(loop, loop->body, source->getBody());
  block_ = loop->body;
  check();
  block_ = scope;
  return true;
}

/// A pair of its own: the tangent of a map has no pairs that could be copied as a whole.
Path Lowering::copy_of_entry(const Path& entry, QualType type, const std::string& name,
                             SourceLocation where) {
  Root* const from = bind_alias(entry, false, "entry", where).alias;
  Path copy;
  copy.type = type;
  copy.root = new_root(Root::Kind::Local, name, type, where);
  ir::Statement* declaration = declare_local(copy.root, where);
  declaration->text = " = " + hole(*from);
  Path value = part_path(copy, 1);
  value.type = value.type.getUnqualifiedType();
  store(value, load(part_path(entry, 1), where), where);
  return copy;
}

/// What a structured binding denotes; text can name it where it holds no numbers.
void Lowering::name_part(const BindingDecl* binding, const Path& part) {
  structured_[binding] = part;
  structured_names_.erase(binding);
  if (part.type->isRecordType() && !context_.types.may_hold_real(part.type)) {
    structured_names_[binding] =
        bind_alias(part, false, binding->getNameAsString(), binding->getLocation());
  }
}

}  // namespace ddx::compiler
