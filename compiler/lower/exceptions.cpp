/// Try blocks. What may throw in one leaves it, as `break` does, at a site of its own: a residual
/// states how far the block came, and the reverse sweep undoes that much.

#include "compiler/lower/lowering.h"
#include "compiler/support/text_calls.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// True when control may leave `statement` by an exception, except for want of memory.
bool may_throw(const ir::Statement& statement) {
  switch (statement.kind) {
    case ir::Statement::Kind::Call: {
      const auto* type = statement.callee->getType()->castAs<FunctionProtoType>();
      return !type->isNothrow();
    }
    case ir::Statement::Kind::Define:
      return statement.value->kind == Value::Kind::Text && calls_function(statement.value->text);
    case ir::Statement::Kind::Declare:
      return calls_function(statement.text);
    case ir::Statement::Kind::Text:
      return !statement.harmless && (llvm::StringRef(statement.text).starts_with("throw") ||
                                     calls_function(statement.text));
    case ir::Statement::Kind::Vector:
    case ir::Statement::Kind::Check:
    case ir::Statement::Kind::Unsupported:
      return true;
    default:
      return false;
  }
}

}  // namespace

ir::Statement* Lowering::throw_site(ir::Statement* guarded, unsigned site, const Block& block,
                                    SourceLocation where) {
  ir::Statement* made = make(ir::Statement::Kind::Break, where);
  made->block = const_cast<Block*>(&block);
  made->level = block.level;
  made->target = guarded;
  made->site = site;
  made->on_throw = true;
  return made;
}

/// Puts a site of `guarded` in front of each statement of `block` that may throw.
void Lowering::mark_throws(ir::Statement* guarded, Block& block) {
  std::vector<ir::Statement*> marked;
  for (ir::Statement* statement : block.statements) {
    for (Block* inner : {statement->body, statement->otherwise, statement->increment}) {
      if (inner) {
        mark_throws(guarded, *inner);
      }
    }
    for (SwitchSegment& segment : statement->segments) {
      mark_throws(guarded, *segment.body);
      if (statement->catches && &segment != &statement->segments.front()) {
        // What is caught in there does not leave this block.
        segment.body->statements.insert(segment.body->statements.begin(),
                                        throw_site(guarded, 0, *segment.body, statement->where));
      }
    }
    const bool header =
        statement->kind == ir::Statement::Kind::Loop &&
        (calls_function(statement->text) || calls_function(statement->increment_text));
    if (header) {
      ir::Statement* rejected = make(ir::Statement::Kind::Unsupported, statement->where);
      rejected->block = &block;
      rejected->level = block.level;
      rejected->diagnostic = Diagnostic::UnsupportedTryCondition;
      rejected->always = true;
      marked.push_back(rejected);
    }
    if (!may_throw(*statement)) {
      marked.push_back(statement);
      continue;
    }
    if (statement->kind == ir::Statement::Kind::Define) {
      statement->value->cheap = false;  // It is evaluated here and nowhere else.
    }
    statement->guarded = guarded;
    marked.push_back(throw_site(guarded, ++guarded->break_sites, block, statement->where));
    marked.push_back(statement);
    marked.push_back(throw_site(guarded, 0, block, statement->where));
  }
  block.statements = std::move(marked);
}

void Lowering::lower_try(const CXXTryStmt* source) {
  ir::Statement* guarded = add(ir::Statement::Kind::Switch, source->getBeginLoc());
  guarded->catches = true;
  const auto add_segment = [&](std::vector<std::string> labels) {
    guarded->segments.push_back({std::move(labels), new_block(guarded, block_->level)});
    return guarded->segments.back().body;
  };
  nested(add_segment({}), source->getTryBlock());
  if (function_.key.mode == Mode::Reverse) {
    mark_throws(guarded, *guarded->segments.front().body);
  }
  for (unsigned i = 0; i < source->getNumHandlers(); ++i) {
    const CXXCatchStmt* handler = source->getHandler(i);
    const VarDecl* caught = handler->getExceptionDecl();
    if (!caught) {
      nested(add_segment({"..."}), handler->getHandlerBlock());
      continue;
    }
    if (context_.types.variable_may_hold_real(caught->getType().getNonReferenceType())) {
      lose(handler->getHandlerBlock(), Diagnostic::UnsupportedException,
           {readable_type(caught->getType(), context_.ast)});
      continue;
    }
    Root* root = new_root(Root::Kind::Local, caught->getNameAsString(), caught->getType(),
                          caught->getLocation());
    root->varied = true;  // What was thrown may have been made of active values.
    Binding bound;
    bound.kind = Binding::Kind::Object;
    bound.path.root = root;
    bound.path.type = caught->getType().getNonReferenceType();
    bindings_[caught] = bound;
    nested(add_segment(
               {"[[maybe_unused]] " + context_.names.type(caught->getType()) + " " + root->name}),
           handler->getHandlerBlock());
  }
}

}  // namespace ddx::compiler
