/// \file
/// Lowers the body of one function to the IR. Total: what it does not know becomes an Unsupported
/// statement, which the diagnose stage rejects when it touches an active value.

#pragma once

#include "compiler/ir/ir.h"
#include "compiler/lower/binding.h"
#include "compiler/lower/callables.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/idempotent_constructors.h"
#include "compiler/lower/loop_bounds.h"
#include "compiler/support/context.h"
#include "compiler/support/expression_text.h"
#include "compiler/support/readable_names.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

/// True when `variable` may change inside `statement`, or its address escape.
bool may_change(const clang::VarDecl* variable, const clang::Stmt* statement);

/// The branch that is taken whenever the program runs, where that is known; null where it is none.
std::optional<const clang::Stmt*> constant_branch(const clang::IfStmt* source,
                                                  clang::ASTContext& context);

/// True for a cast by which a const object may be written.
bool removes_const(const clang::CastExpr& cast);

class Lowering {
 public:
  Lowering(const Context& context, ir::Function& function);

  /// Fills the function's IR from its key.
  void run();

 private:
  // function.cpp
  void lower_parameters();
  Binding expand_parameter(clang::QualType type, std::string name, const clang::VarDecl* decl);
  Binding expand_whole_parameter(clang::QualType type, const std::string& name,
                                 clang::SourceLocation where, const ir::ParameterFacts& facts);
  Binding expand_closure(const clang::CXXRecordDecl* record, const std::string& name);
  Binding expand_functor(const clang::CXXMethodDecl* method, const std::string& name);
  Binding expand_object(clang::QualType type, const std::string& name);
  void bind_captures(const ScalarizedObject& scalarized);
  /// What a variable or a structured binding denotes.
  std::optional<Binding> bound_to(const clang::ValueDecl* name) const;
  void bind_name(const clang::ValueDecl* name, const std::optional<Binding>& binding);
  void lower_initialisers(const clang::CXXConstructorDecl* constructor);
  void forward_to_inherited(const clang::CXXConstructorDecl* constructor,
                            const clang::CXXInheritedCtorInitExpr* inherited, const ir::Path& base);
  ir::ParameterFacts next_facts();
  std::optional<std::string> spell_path(const Binding& binding);

  // statements.cpp
  void statement(const clang::Stmt* statement);
  void nested(ir::Block* block, const clang::Stmt* body);
  void statements(llvm::ArrayRef<clang::Stmt*> parts, const clang::CompoundStmt* compound);
  bool is_guarding(const clang::Stmt* part, const clang::CompoundStmt* compound) const;
  void declare(const clang::VarDecl* variable);
  void declare_reference(const clang::VarDecl* variable);
  void declare_pointer(const clang::VarDecl* variable);
  void declare_unknown_pointer(const clang::VarDecl* variable, const std::string& text,
                               const Effects& found);
  void reject_declaration(const clang::VarDecl* variable, Diagnostic diagnostic,
                          std::vector<std::string> facts = {});
  std::optional<ir::Path> copy_of_inactive(const clang::Expr* object);
  void declare_bindings(const clang::DecompositionDecl* decomposition);
  void name_part(const clang::BindingDecl* binding, const ir::Path& part);
  std::optional<Diagnostic> name_parts(const clang::DecompositionDecl* decomposition,
                                       const ir::Path& source);
  void lower_if(const clang::IfStmt* statement);
  void lower_switch(const clang::SwitchStmt* statement);
  void lower_return(const clang::ReturnStmt* statement);
  void lower_jump(const clang::Stmt* statement, bool is_break);

  // loops.cpp
  void lower_for(const clang::ForStmt* loop);
  void lower_while(const clang::WhileStmt* loop);
  void lower_do(const clang::DoStmt* loop);
  std::optional<std::pair<ir::Path, ir::Path>> ends_of_class(const clang::CXXForRangeStmt* source,
                                                             const ir::Path& range);
  void lower_inactive_range(const clang::CXXForRangeStmt* source);
  void lower_range_for(const clang::CXXForRangeStmt* loop);
  void declare_loop_variable(const clang::CXXForRangeStmt* source, const ir::Path& element);
  bool lower_counted(const clang::ForStmt* loop);
  ir::Statement* open_loop(const clang::Stmt* source, ir::Statement::LoopForm form);
  void lower_loop_body(ir::Statement* loop, ir::Block* block, const clang::Stmt* body);
  void lower_condition_exit(ir::Statement* loop, const clang::Expr* condition);
  bool is_fixed_bound(const clang::Expr* bound, const clang::Stmt* body);

  // references_into_moved.cpp
  bool is_kept_by(const ir::Path& place, const ir::Path& object);
  void check_references(const ir::Path& object, const clang::Expr* source);
  bool moves_or_swaps(const clang::Stmt* statement);
  bool forwards_elements(const clang::FunctionDecl* function);
  void check_exchanged(const clang::FunctionDecl* callee, const clang::Expr* source,
                       const Receiver& receiver, llvm::ArrayRef<const clang::Expr*> arguments);

  // moved_objects.cpp
  void empty_moved(const clang::Stmt* full_expression);
  void empty_moved_here(const clang::Expr* part);
  bool takes_elements(const clang::Expr* move);
  void empty_moved_one(const clang::Expr* move, const clang::Stmt* around);
  bool holds_sequence(clang::QualType type);
  bool empty(const ir::Path& object, const clang::Expr* move);

  // expressions.cpp
  void discard(const clang::Expr* expression);
  void note_step(const clang::Expr* expression, ir::Statement* statement);
  ir::Value* rvalue(const clang::Expr* expression);
  ir::Value* real_value(const clang::Expr* expression);
  ir::Value* call_value(const clang::Expr* source, clang::SourceLocation where);
  ir::Value* read(const clang::Expr* glvalue, clang::SourceLocation where);
  ir::Value* plain_value(const clang::Expr* expression);
  ir::Value* binary(const clang::BinaryOperator* operation);
  ir::Value* unary(const clang::UnaryOperator* operation);
  ir::Value* logical(const clang::BinaryOperator* operation);
  ir::Value* select(const clang::AbstractConditionalOperator* conditional);
  ir::Value* convert(ir::Value* value, clang::QualType type, clang::SourceLocation where);
  ir::Path assign(const clang::BinaryOperator* operation);
  bool assign_to_text(const clang::Expr* target, ir::Value* value, clang::SourceLocation where);
  ir::Path compound_assign(const clang::CompoundAssignOperator* operation);
  ir::Path combine(const clang::CompoundAssignOperator* operation, std::optional<ir::Path> path,
                   ir::Value* value);
  void for_each_arm(const clang::ConditionalOperator* conditional, clang::SourceLocation where,
                    llvm::function_ref<void(const clang::Expr*)> action);
  ir::Value* increment(const clang::UnaryOperator* operation, ir::Path* target);
  ir::Value* condition(const clang::Expr* expression);

  // paths.cpp
  std::optional<ir::Path> lvalue(const clang::Expr* expression);
  std::optional<ir::Path> place(const clang::Expr* expression);
  std::optional<ir::Path> pointer(const clang::Expr* expression);
  Binding closure(const clang::Expr* expression);
  std::optional<ir::Path> variable_path(const clang::VarDecl* variable,
                                        clang::SourceLocation where);
  std::optional<ir::Path> member_path(const clang::MemberExpr* member);
  std::optional<ir::Path> derived_path(std::optional<ir::Path> base,
                                       const clang::CXXRecordDecl* record);
  std::optional<ir::Path> element_path(std::optional<ir::Path> base, ir::Value* index,
                                       clang::QualType type);
  std::optional<ir::Path> offset(std::optional<ir::Path> base, ir::Value* index);
  ir::Path materialise(const clang::Expr* expression);
  ir::Path field_path(ir::Path base, const clang::FieldDecl* field);
  ir::Path base_path(ir::Path base, const clang::CastExpr& to_base);
  bool hides_base(const clang::CastExpr& to_base);
  ir::Path base_path(ir::Path base, const clang::CXXRecordDecl* record);
  Binding bind_alias(ir::Path path, bool is_pointer, const std::string& name,
                     clang::SourceLocation where);
  Binding make_closure(const clang::LambdaExpr* lambda, const std::string& name);
  Binding copy_closure(const Binding& from, const std::string& name);
  static Binding object_at(ir::Path path);

  // scalarized_objects.cpp
  bool is_scalarized(clang::QualType type) { return context_.types.is_scalarized(type); }
  bool is_in_scalarized(const clang::Expr* object);
  Binding* member_of(ScalarizedObject& scalarized, const clang::FieldDecl* field);
  std::shared_ptr<ScalarizedObject> known_scalarized(const clang::Expr* expression);
  const Binding* known_member(const clang::MemberExpr* member);
  std::optional<Binding> member_binding(const clang::MemberExpr* member);
  Binding scalarized(const clang::Expr* expression);
  Binding scalarized_at(const ir::Path& object);
  Binding make_member(clang::QualType type, const clang::Expr* initialiser, const std::string& name,
                      bool moves);
  bool declare_scalarized(const clang::VarDecl* variable);
  Binding converted(Binding whole, const clang::CastExpr& cast);
  Binding scalarized_of_list(const clang::InitListExpr* list);
  Binding constructed(const clang::CXXConstructExpr* construction);
  Binding construct_scalarized(const clang::CXXConstructExpr* construction);
  bool construct_members(const std::shared_ptr<ScalarizedObject>& scalarized,
                         const clang::CXXConstructExpr* construction, const std::string& name);
  bool initialise_members(const std::shared_ptr<ScalarizedObject>& scalarized,
                          const clang::CXXRecordDecl* record, const clang::InitListExpr* list,
                          const std::string& name);
  bool assign_scalarized(const Binding& target, const Binding& source, clang::SourceLocation where);

  // iterators.cpp
  ir::Path sequence_of(const ir::Path& elements);
  ir::Value* position_of(const ir::Path& target, clang::SourceLocation where);
  bool same_sequence(const ir::Path& a, const ir::Path& b);
  Binding iterator_at(ir::Path target, ir::Root* position, clang::QualType type,
                      const std::string& name, clang::SourceLocation where);
  Binding make_iterator(ir::Path target, clang::QualType type, const std::string& name,
                        clang::SourceLocation where);
  std::optional<Binding> bind_iterator(const clang::VarDecl* variable, const clang::Expr* source,
                                       clang::SourceLocation where);
  Binding copy_iterator(const Binding& from, clang::QualType type, const std::string& name,
                        clang::SourceLocation where);
  ir::Path iterator_path(const Binding& binding, clang::SourceLocation where);
  std::string spell_iterator(const Binding& binding);
  const Binding* named_iterator(const clang::Expr* expression);
  const Binding* moving_iterator(const clang::Expr* expression);
  std::optional<ir::Path> move_iterator(const clang::Expr* expression);
  ir::Value* negated(ir::Value* value, clang::SourceLocation where);
  bool is_iterator(clang::QualType type);
  bool declare_iterator(const clang::VarDecl* variable);

  // iterator_calls.cpp
  std::optional<ir::Path> advanced(std::optional<ir::Path> iterator, clang::QualType type,
                                   ir::Value* distance, bool backwards,
                                   clang::SourceLocation where);
  std::optional<ir::Path> dereferenced(std::optional<ir::Path> iterator, clang::QualType type,
                                       clang::SourceLocation where);
  std::optional<ir::Path> conditional_iterator(const clang::ConditionalOperator* conditional);
  bool iterator_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                     const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                     ir::Value** value, std::optional<ir::Path>* reference);
  ir::Value* compared(clang::BinaryOperatorKind opcode, const clang::Expr* source,
                      const clang::Expr* left, const clang::Expr* right);
  std::optional<ir::Path> sequence_end(std::optional<ir::Path> path, llvm::StringRef name,
                                       clang::QualType type, clang::SourceLocation where);

  // iterator_loops.cpp
  bool is_fixed_iterator(const clang::Expr* bound, const clang::Stmt* body);
  bool lower_counted_iterator(const clang::ForStmt* loop);

  // views.cpp
  Binding make_view(ir::Path first, ir::Value* count, clang::QualType type,
                    clang::SourceLocation where);
  void expand_view(ir::Statement* call, const Binding& view);
  std::optional<std::string> spell_view(const Binding& view);
  ir::Value* extent_of(const Binding& view, clang::QualType type, clang::SourceLocation where);
  std::optional<Binding> view_of_range(const clang::Expr* expression, clang::QualType type);
  std::optional<Binding> view_of_list(const clang::CXXStdInitializerListExpr* list);
  std::optional<Binding> view(const clang::Expr* expression);
  std::optional<Binding> part_of_view(const clang::CXXMemberCallExpr* call);
  void declare_view(const clang::VarDecl* variable);
  bool view_call(const clang::CXXMethodDecl* method, const clang::Expr* source,
                 const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                 ir::Value** value, std::optional<ir::Path>* reference);

  // complex.cpp
  /// A complex value. A real operand of complex arithmetic has no imaginary part.
  struct Parts {
    ir::Value* real = nullptr;
    ir::Value* imaginary = nullptr;
  };
  ir::Path number_part(ir::Path number, unsigned part);
  std::optional<ir::Path> written_part(const clang::ArraySubscriptExpr* subscript);
  Parts load_parts(const ir::Path& number, clang::SourceLocation where);
  void store_parts(ir::Path number, const Parts& parts, clang::SourceLocation where);
  ir::Path complex_object(clang::QualType type, const Parts& parts, clang::SourceLocation where);
  Parts product(const Parts& a, const Parts& b, clang::QualType real, clang::SourceLocation where);
  std::optional<Parts> operand_parts(const clang::Expr* expression, clang::QualType real);
  std::optional<Parts> combined(clang::OverloadedOperatorKind opcode, const Parts& a,
                                const Parts& b, clang::QualType real, clang::SourceLocation where);
  std::optional<Parts> complex_parts(const clang::Expr* expression);
  bool complex_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                    const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                    ir::Value** value, std::optional<ir::Path>* reference);

  // constructions.cpp, first_values.cpp
  void store_zero(ir::Path target, bool raw, clang::SourceLocation where);
  void zero_numbers(const ir::Path& target, clang::SourceLocation where);
  void initialise_zero(const ir::Path& target, bool raw, clang::SourceLocation where);
  void copy_array(ir::Path target, const ir::Path& source, bool raw, clang::SourceLocation where);
  std::optional<ir::Path> built_in_place(const clang::Expr* made);
  void declare_object(ir::Root* root, const clang::Expr* initialiser);
  bool makes_here(const clang::Expr* source);
  void initialise(ir::Path target, const clang::Expr* initialiser, bool raw);
  void initialise_members(const ir::Path& target, llvm::ArrayRef<clang::Expr*> values,
                          clang::SourceLocation where, bool raw);
  void initialise_list(ir::Path target, const clang::InitListExpr* list, bool raw);
  void initialise_construction(ir::Path target, const clang::CXXConstructExpr* construction,
                               bool raw);
  bool mentions_real(const clang::Stmt* statement);
  void complete_object(ir::Root* root);
  ir::Value* construct_from_numbers(const clang::Expr* source);
  bool initialise_elements(ir::Path target, const clang::CXXStdInitializerListExpr* list);
  std::optional<ir::Path> assign_elements(ir::Path target,
                                          const clang::CXXStdInitializerListExpr* list);
  bool initialise_vector(ir::Path target, const clang::CXXConstructExpr* construction);
  const clang::FieldDecl* unlisted(const clang::CXXRecordDecl* record, clang::SourceLocation where);

  // calls.cpp
  ir::Value* call(const clang::Expr* expression, std::optional<ir::Path>* reference);
  ir::Value* unknown_call(const clang::FunctionDecl* callee, const clang::Expr* source);
  ir::Value* lower_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                        const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments,
                        std::optional<ir::Path>* reference);
  ir::Value* emit_call(ir::Statement* call, clang::QualType result);
  std::optional<ir::Path> object_path(const Receiver& object);

  // arguments.cpp
  std::optional<ir::Path> copy_of_constant(const clang::Expr* glvalue);
  bool expand_argument(ir::Statement* call, clang::QualType parameter, const clang::Expr* argument);
  bool names_left_out_member(const clang::Expr* expression);
  bool expand_target(ir::Statement* call, const Binding& target);
  bool expand_scalarized(ir::Statement* call, const ScalarizedObject& scalarized,
                         clang::QualType of, bool is_constant);
  bool expand_member(ir::Statement* call, const Binding& member, const clang::FieldDecl* field,
                     bool is_constant);
  void expand_path(ir::Statement* call, ir::Path path, bool is_pointer, bool is_constant);

  // virtual_calls.cpp
  const clang::CXXRecordDecl* class_of(const ir::Path& path, ir::Path* whole);
  std::optional<ir::Path> part_of_class(ir::Path object, const clang::CXXRecordDecl* record,
                                        const clang::CXXRecordDecl* base);
  bool expand_whole(ir::Statement* call, const ir::Path& path, bool is_constant);
  ir::Value* call_virtual(const clang::CXXMethodDecl* method, const clang::Expr* source,
                          const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments,
                          std::optional<ir::Path>* reference);
  bool declare_polymorphic(ir::Root* root, const clang::CXXConstructExpr* construction);
  bool bind_constructor_arguments(const clang::CXXConstructorDecl* constructor,
                                  const clang::CXXConstructExpr* construction, std::string* text);
  bool repeat_constructor(const ir::Path& object, const clang::CXXConstructorDecl* constructor,
                          const clang::CXXConstructExpr* source);
  bool repeat_initialisers(const ir::Path& object, const clang::CXXConstructorDecl* constructor);

  // callables.cpp
  bool is_rebound(const clang::VarDecl* variable);
  Binding fixed_target(const clang::Expr* expression);
  Binding callable(const clang::Expr* expression);
  Binding function_object(const clang::Expr* expression);
  bool declare_callable(const clang::VarDecl* variable);
  ir::Value* call_target(const Binding& target, const clang::Expr* source,
                         llvm::ArrayRef<const clang::Expr*> arguments,
                         std::optional<ir::Path>* reference);

  ir::Value* call_by_pointer(const clang::Expr* target, const clang::Expr* source,
                             llvm::ArrayRef<const clang::Expr*> arguments,
                             std::optional<ir::Path>* reference);

  // multi_result_functions.cpp
  bool split_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                  llvm::ArrayRef<const clang::Expr*> arguments, ir::Value** value);
  ir::Value* named_operation(llvm::StringRef rule, std::string text, clang::QualType type,
                             llvm::ArrayRef<ir::Value*> operands, clang::SourceLocation where);

  // tuples.cpp
  ir::Path part_path(ir::Path whole, unsigned position);
  std::optional<unsigned> part_named(const clang::FunctionDecl* get, clang::QualType whole);
  bool initialise_parts(const ir::Path& whole, llvm::ArrayRef<const clang::Expr*> values, bool raw);
  bool make_parts(const clang::FunctionDecl* callee, const clang::Expr* source,
                  llvm::ArrayRef<const clang::Expr*> arguments, std::optional<ir::Path>* reference);
  bool assign_tied(const clang::Expr* target, const clang::Expr* value);
  std::optional<llvm::SmallVector<const clang::Expr*>> elements(const clang::Expr* tuple);
  bool apply(const clang::FunctionDecl* callee, const clang::Expr* source,
             llvm::ArrayRef<const clang::Expr*> arguments, ir::Value** value,
             std::optional<ir::Path>* reference);

  // sum_types.cpp
  struct Visitor;
  ir::Value* text_about(const ir::Path& path, const std::string& behind, clang::QualType type,
                        clang::SourceLocation where);
  ir::Value* is_alternative(const ir::Path& sum, unsigned part, clang::SourceLocation where);
  void check_access(const ir::Path& sum, const std::string& before, const std::string& behind,
                    clang::SourceLocation where);
  bool set_alternative(const ir::Path& sum, unsigned part, ir::Value* value,
                       clang::SourceLocation where);
  void reset(const ir::Path& sum, clang::SourceLocation where);
  ir::Value* made_value(clang::QualType type, llvm::ArrayRef<const clang::Expr*> arguments,
                        clang::SourceLocation where);
  std::optional<unsigned> alternative_of(clang::QualType sum, clang::QualType given);
  std::optional<unsigned> alternative_named(const clang::TemplateArgument& name,
                                            clang::QualType sum);
  bool initialise_sum_type(const ir::Path& target, const clang::CXXConstructExpr* construction);
  bool sum_type_member(const clang::CXXMethodDecl* method, const clang::Expr* source,
                       const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                       ir::Value** value, std::optional<ir::Path>* reference);
  bool sum_type_function(const clang::FunctionDecl* callee, const clang::Expr* source,
                         llvm::ArrayRef<const clang::Expr*> arguments, ir::Value** value,
                         std::optional<ir::Path>* reference);
  bool visit(const clang::Expr* source, const clang::Expr* visitor,
             llvm::ArrayRef<const clang::Expr*> sums, ir::Value** value,
             std::optional<ir::Path>* reference);
  bool visit_alternatives(const clang::Expr* source, const Visitor& visitor,
                          llvm::ArrayRef<const clang::Expr*> sums, llvm::ArrayRef<ir::Path> paths,
                          llvm::SmallVector<clang::Expr*> held,
                          const std::optional<ir::Path>& result);
  bool call_visitor(const clang::Expr* source, const Visitor& visitor,
                    llvm::ArrayRef<clang::Expr*> held, const std::optional<ir::Path>& result);
  bool runtime_sum_type_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                             llvm::ArrayRef<const clang::Expr*> arguments,
                             std::optional<ir::Path>* reference);

  // output.cpp
  bool write_output(const clang::Expr* expression);

  // inlining.cpp
  /// Who a body that is lowered in place belongs to.
  struct Self {
    std::optional<ir::Path> path;
    ir::Root* alias = nullptr;
    std::shared_ptr<ScalarizedObject> scalarized;
  };
  bool is_inlined(const clang::FunctionDecl* callee, const Receiver& object,
                  llvm::ArrayRef<const clang::Expr*> arguments);
  bool find_self(const clang::CXXMethodDecl* method, const clang::Expr* source,
                 const Receiver& object, Self* self);
  bool bind_parameters(const clang::FunctionDecl* callee, const clang::Expr* source,
                       llvm::ArrayRef<const clang::Expr*> arguments);
  bool may_inline(const clang::FunctionDecl* callee) const;
  bool has_single_exit(const clang::Stmt* body) const;
  void lower_in_place(const clang::FunctionDecl* callee, const clang::Expr* source,
                      const Self& self, llvm::function_ref<void()> first, Binding* result);
  bool inline_body(const clang::FunctionDecl* callee, const clang::Expr* source,
                   const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments,
                   Binding* result, ir::Value** value);
  Binding inline_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                      const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments);
  bool writes_a_part(const clang::FunctionDecl* callee, const Effects& found);
  ir::Value* call_in_place(const clang::FunctionDecl* body, const clang::Expr* source,
                           const Receiver& object, llvm::ArrayRef<const clang::Expr*> arguments,
                           std::optional<ir::Path>* reference);
  bool is_guard(const clang::Stmt* statement) const;

  // dynamic_pointers.cpp
  ir::Root* memory();
  bool is_static_pointer(const clang::Expr* expression);
  bool is_global_pointer(const clang::Expr* expression);
  bool is_dynamic_pointer_value(const clang::Expr* expression);
  bool changes_number(const clang::Stmt* statement);
  bool makes_objects(const clang::Stmt* statement);
  bool shows_named_object(const clang::Stmt* statement);
  bool lies_in_named_object(const clang::Expr* place);
  bool only_moves_pointers(const clang::FunctionDecl* callee);
  std::optional<PointerText> dynamic_pointer_text(const clang::Expr* expression);
  void add_text(const PointerText& found, clang::SourceLocation where);
  ir::Value* lost_pointer(const clang::Expr* expression);
  bool changes_dynamic_pointer(const clang::Expr* expression);
  bool loses_pointer(const clang::Expr* statement);
  bool reorders_pointers(const clang::FunctionDecl* callee,
                         llvm::ArrayRef<const clang::Expr*> arguments);
  bool pointer_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                    const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                    ir::Value** value);

  // conditional_lvalues.cpp
  bool returns_conditional_lvalue(const clang::Expr* glvalue);
  void at_conditional_lvalue(const clang::Expr* glvalue,
                             llvm::function_ref<void(const ir::Path&)> action);
  void visit_conditional_lvalue(const clang::ConditionalOperator* conditional,
                                llvm::function_ref<void(const ir::Path&)> action);

  // inactive_members.cpp
  bool are_text(llvm::ArrayRef<const clang::Expr*> expressions);
  ir::Value* carry_over(const clang::Expr* source, const Effects& found, const std::string& text,
                        bool is_kept);
  bool inactive_member_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                            const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                            ir::Value** value);
  bool inactive_library_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                             const clang::Expr* object,
                             llvm::ArrayRef<const clang::Expr*> arguments, ir::Value** value);

  // opaque_calls.cpp
  bool reaches_memory(const clang::Stmt* statement);
  bool runs_on_memory(const clang::Expr* value);
  bool has_opaque_effects(const clang::Stmt* statement);
  bool library_may_copy(const clang::Expr* source);
  bool library_may_copy_within(const clang::Stmt* statement);
  bool ends_with_numbers(const clang::CXXRecordDecl* record);

  bool names_owned_array(const clang::Expr* expression);

  void construct(const ir::Path& target, ir::Value* value, bool raw, clang::SourceLocation where);
  bool initialise_dynamic_pointer(const ir::Path& target, const clang::Expr* source, bool raw);
  bool passes_dynamic_pointer(ir::Statement* call, clang::QualType parameter,
                              const clang::Expr* argument);
  void note_memory(ir::Statement* call, clang::QualType result);

  // replacements.cpp
  const clang::FunctionDecl* visible_body(const clang::FunctionDecl* callee);
  void note_original(ir::Statement* made, const clang::Expr* source,
                     const clang::FunctionDecl* callee);
  const clang::FunctionDecl* plain_function(llvm::StringRef name,
                                            llvm::ArrayRef<const clang::Expr*> arguments);
  struct Replacement {
    const clang::FunctionDecl* function = nullptr;
    llvm::SmallVector<const clang::Expr*> arguments;
  };
  std::optional<Replacement> replacement(const clang::FunctionDecl* callee,
                                         const clang::Expr* source,
                                         llvm::ArrayRef<const clang::Expr*> arguments);

  // containers.cpp
  bool map_member(const clang::CXXMethodDecl* method, const clang::Expr* source,
                  const clang::Expr* object, ir::Value** value);
  bool container_call(const clang::CXXMethodDecl* method, const clang::Expr* source,
                      const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                      ir::Value** value, std::optional<ir::Path>* reference);
  std::optional<ir::Path> last_element(const ir::Path& path, clang::QualType element,
                                       clang::SourceLocation where);
  bool vector_member(llvm::StringRef name, const clang::Expr* source, const clang::Expr* object,
                     llvm::ArrayRef<const clang::Expr*> arguments,
                     std::optional<ir::Path>* reference);
  bool call_on(ir::Path target, llvm::StringRef name, const clang::Expr* source,
               llvm::ArrayRef<const clang::Expr*> arguments);

  // synthesised_code.cpp
  static bool is_storage(clang::QualType type);
  void declare_storage(const clang::VarDecl* variable);
  bool construct_in_place(const clang::CXXNewExpr* allocation);
  static const clang::LabelStmt* label_of_increment(const clang::Stmt* body);
  void lower_labelled_body(ir::Statement* loop, const clang::Stmt* body,
                           const clang::LabelStmt* label);
  const clang::FunctionDecl* part_of_entry(const clang::FunctionDecl* callee,
                                           llvm::ArrayRef<const clang::Expr*> arguments);
  bool runtime_call(const clang::FunctionDecl* callee, const clang::Expr* source,
                    const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                    std::optional<ir::Path>* reference);
  std::optional<bool> compares_functions(const clang::Expr* condition);
  std::optional<Binding> capture_of(const clang::Expr* expression);

  // functor_calls.cpp
  std::optional<ir::Value*> functor_call(const clang::FunctionDecl* callee,
                                         const clang::Expr* source,
                                         llvm::ArrayRef<const clang::Expr*> arguments);

  // dispatch.cpp
  struct Dispatch {
    ir::Path result;  ///< Without root where there is none.
    ir::Block* outer = nullptr;
    clang::SourceLocation where;
  };
  ir::Statement* add_if(ir::Value* test, clang::SourceLocation where);
  void note_exact_comparisons(ir::Statement* branch, const clang::Expr* condition);
  Dispatch begin_dispatch(const clang::Expr* source);
  void add_target(const Dispatch& dispatch, ir::Value* test,
                  llvm::function_ref<ir::Value*(std::optional<ir::Path>*)> call);
  ir::Value* end_dispatch(const Dispatch& dispatch, const std::string& otherwise,
                          llvm::ArrayRef<ir::Root*> reads, std::optional<ir::Path>* reference);

  // builder.cpp
  ir::Root* new_root(ir::Root::Kind kind, const std::string& name, clang::QualType type,
                     clang::SourceLocation where);
  ir::Statement* declare_local(ir::Root* root, clang::SourceLocation where);
  ir::Value* new_value(ir::Value::Kind kind, clang::QualType type, clang::SourceLocation where);
  ir::Statement* add(ir::Statement::Kind kind, clang::SourceLocation where);
  ir::Statement* make(ir::Statement::Kind kind, clang::SourceLocation where);
  ir::Block* new_block(ir::Statement* owner, ir::Level* level);
  void define(ir::Value* value);
  ir::Value* value_in(const ir::Root& root, clang::SourceLocation where);
  ir::Value* load(ir::Path path, clang::SourceLocation where);
  void store(ir::Path path, ir::Value* value, clang::SourceLocation where,
             ir::Statement::StoreMode mode = ir::Statement::StoreMode::Assign);
  ir::Value* operation(llvm::StringRef rule, clang::QualType type,
                       llvm::ArrayRef<ir::Value*> operands, clang::SourceLocation where);
  ir::Value* form(std::string text, clang::QualType type, llvm::ArrayRef<ir::Value*> operands,
                  clang::SourceLocation where);
  ir::Value* literal(const std::string& text, clang::QualType type, clang::SourceLocation where);
  static bool reads_a_part(const Effects& found);
  void refuse_copy(const ir::Path& path, clang::SourceLocation where);
  std::optional<std::string> text_of(const clang::Expr* expression);
  ir::Value* text_value(const clang::Expr* expression, const Effects& effects,
                        const std::string& text);
  ir::Value* unsupported(const clang::Stmt* statement,
                         Diagnostic diagnostic = Diagnostic::UnsupportedExpression,
                         std::vector<std::string> facts = {});
  ir::Value* unsupported_argument(const clang::Expr* call, const clang::Expr* argument);
  void touch_paths(const clang::Stmt* statement, ir::Statement* into);
  std::string unique(const std::string& name);

  // explain.cpp
  struct Cause {
    Diagnostic diagnostic;
    std::vector<std::string> facts;
    clang::SourceLocation where;
  };
  void lose(const clang::Stmt* statement, Diagnostic diagnostic,
            std::vector<std::string> facts = {});
  std::optional<Cause> explain(const clang::Stmt* statement, Diagnostic diagnostic);
  std::optional<Cause> find_cause(const clang::Stmt* statement);
  std::optional<Cause> explain_member(const clang::MemberExpr* member);
  std::optional<Cause> explain_cast(const clang::CastExpr* cast);
  void note_unplaced(const clang::Stmt* statement, ir::Statement* into);

  // inactive_places.cpp
  bool has_known_target(const clang::Expr* pointer) const;
  bool is_found_by_text(const clang::Expr* place) const;
  std::optional<ir::Path> place_by_text(const clang::Expr* place, clang::QualType type,
                                        const std::string& name);
  llvm::SmallVector<const clang::Expr*> declare_inactive_parts(const clang::Expr* expression);
  ir::Value* made_of_inactive_parts(const clang::CXXConstructExpr* construction);

  // constructor_calls.cpp
  ir::Value* construct_call(const clang::CXXConstructorDecl* constructor, ir::Path target,
                            const clang::Expr* source,
                            llvm::ArrayRef<const clang::Expr*> arguments);

  // effects.cpp
  void note(ir::Statement* statement, const Effects& effects);
  Effects effects(const clang::Stmt* expression);
  void expose(const clang::Expr* object);
  void note_changed(const clang::Expr* place, Effects& into);
  void spread_writes();
  void collect_effects(const clang::Stmt* statement, bool mutates, Effects& into);
  void note_root(const clang::VarDecl* variable, bool mutates, Effects& into);
  void note_binding(const Binding& binding, clang::QualType type, bool mutates, Effects& into);

  const Context& context_;
  ir::Function& function_;
  ir::Block* block_ = nullptr;
  llvm::DenseMap<const clang::VarDecl*, Binding> bindings_;
  llvm::DenseMap<const clang::BindingDecl*, ir::Path> structured_;
  llvm::DenseMap<const clang::BindingDecl*, Binding> structured_names_;  ///< By which text can.
  const clang::Expr* discarded_ = nullptr;  ///< A call whose result nothing reads.
  llvm::function_ref<void(const ir::Path&)>* conditional_lvalue_ = nullptr;
  llvm::DenseSet<const clang::VarDecl*> fixed_elements_;  ///< References that a copy replaces.
  /// Arguments that are functions: what they denote in the call being lowered.
  llvm::DenseMap<const clang::Expr*, Binding> meant_;
  /// Expressions made here that denote a place.
  llvm::DenseMap<const clang::Expr*, Binding> places_;
  /// Expressions whose text is the name of what they made.
  llvm::DenseMap<const clang::Expr*, std::string> replaced_;
  std::optional<ir::Path> self_;
  ir::Root* self_alias_ = nullptr;
  std::shared_ptr<ScalarizedObject>
      self_scalarized_;  ///< The object of the member function, scalarized.
  llvm::StringSet<> taken_;
  llvm::StringMap<unsigned> last_number_;  ///< That unique has put behind a name.
  std::size_t next_parameter_ = 0;
  std::size_t next_target_ = 0;
  llvm::DenseSet<const clang::Expr*> emptied_;  ///< Moves in parts of the statement at hand.
  std::vector<ir::Statement*> breakables_;
  std::vector<ir::Statement*> continuables_;
  bool needs_place_ = false;  ///< Text is no answer for the next call: which object it names is.
  Exposures exposures_;
  bool callee_casts_ = false;  ///< The function being called may cast to a derived class.
  llvm::DenseMap<const clang::LabelDecl*, ir::Statement*> labels_;  ///< Of increments of loops.
  unsigned inline_depth_ = 0;
  const ir::InlineSite* inline_site_ = nullptr;
  Binding* inline_result_ = nullptr;
  ir::Value* inline_value_ = nullptr;  ///< The number that the body lowered in place returns.
  ExpressionText printer_;
};

}  // namespace ddx::compiler
