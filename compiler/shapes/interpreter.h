/// \file
/// Executes functions on what is known of shapes, without their data.

#pragma once

#include "compiler/shapes/destruction.h"
#include "compiler/shapes/findings.h"
#include "compiler/shapes/state.h"
#include "compiler/shapes/values.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace ddx::compiler::shapes {

/// A call in progress.
struct Frame {
  const clang::FunctionDecl* function = nullptr;
  clang::SourceLocation call;  ///< Invalid for an entry.
  Place self;                  ///< `*this`.
  llvm::DenseMap<const clang::ValueDecl*, Place> variables;
  std::optional<State> returned;   ///< What holds after it, by the returns so far.
  const Value* result = nullptr;   ///< Of these returns; a pointer where it returns a reference.
  std::optional<State> broken;     ///< At the end of the innermost loop or switch, by its breaks.
  std::optional<State> continued;  ///< At the end of the innermost loop's body, by its continues.
  std::size_t base = 0;            ///< The number of objects of the callers.
  llvm::DenseMap<const clang::LabelDecl*, State> jumps;
  llvm::SmallVector<const clang::LabelDecl*, 2> passed;  ///< Labels whose code has been executed.
};

/// An argument of a call: for a reference parameter a pointer.
using Argument = const Value*;

/// What a call is of, and with what.
struct Call {
  const clang::FunctionDecl* function = nullptr;
  std::optional<Place> self;  ///< The object of a member function.
  llvm::SmallVector<Argument, 6> arguments;
  const clang::Expr* at = nullptr;
};

class Interpreter;

/// The effects and the result of a call whose function is known without its body: a pointer where
/// it returns a reference, nothing where it is not known for these arguments.
using Native = std::optional<const Value*> (*)(Interpreter& in, const Call& call);

/// Executes the functions of a unit one after another, each for unknown arguments, together with
/// what they call, and collects the operations that fail whenever they run.
///
/// What it knows over-approximates each execution that reaches a point. An operation is reported
/// where all that the analysis considers possible fails, unless a handler may expect the error, or
/// the program decides by something related to shapes whether to get there.
class Interpreter {
 public:
  /// `steps`: how many expressions and statements are executed at most.
  Interpreter(clang::ASTContext& ast, Findings& findings, std::size_t steps);

  /// Executes a function of the program for unknown arguments.
  void run_entry(const clang::FunctionDecl& function);

  /// The value of an expression; a pointer for one of reference type is never returned.
  const Value* rvalue(const clang::Expr* expression);
  /// The object that a glvalue denotes; for a prvalue, a new object with its value.
  Place lvalue(const clang::Expr* expression);
  /// Stores the value of an initialiser of an object at `place`; constructs it there.
  void initialise(const Place& place, const clang::Expr* initialiser, clang::QualType type);

  /// Executes a call whose function is known, or forgets what it may change. A pointer is returned
  /// for a reference.
  const Value* call(const Call& call);
  /// Calls what `callee` is, with arguments that are places, as std::invoke does.
  const Value* invoke(const Place& callee, llvm::ArrayRef<Place> arguments, const Call& from);
  /// The effects of a call of which nothing is known.
  const Value* opaque(const Call& call);

  void execute(const clang::Stmt* statement);

  /// Keeps the shape of a variable of the program.
  void note_shape(const clang::VarDecl& variable);
  /// Keeps the shape of the result of a call of the program.
  void note_shape(const clang::Expr& call, const Value* result);

  /// Reports that an operation fails whenever it runs, unless that may be expected: the shapes, and
  /// those of their extents that do not fit; none: all. Its execution ends here.
  void fail(const Call& operation, const std::string& message, llvm::ArrayRef<const Value*> shapes,
            llvm::ArrayRef<const Value*> extents = {});

  [[nodiscard]] clang::ASTContext& ast() { return ast_; }
  [[nodiscard]] Arena& arena() { return arena_; }
  [[nodiscard]] State& state() { return state_; }
  /// The value at a place that is given by a pointer; other values as they are.
  const Value* loaded(const Value* value);
  /// The value of an object before anything is stored in it.
  const Value* blank(clang::QualType type);
  /// The value of an object that is initialised by nothing, as `T()` does.
  const Value* zero(clang::QualType type);
  /// A constant of the unit.
  const Value* constant(const clang::APValue& constant, clang::QualType type,
                        clang::SourceLocation where);

 private:
  friend class Expressions;
  friend class Statements;
  friend class Calls;

  const clang::FunctionDecl* executed(const Call& call);
  const Value* run(const clang::FunctionDecl& definition, const Call& call);
  void bind(Frame& callee, const Call& call);
  void leave(const Value* result);
  void initialise_members(const clang::CXXConstructorDecl& constructor);
  void initialise_parts(const Place& place, llvm::ArrayRef<clang::Expr*> parts,
                        const clang::CXXRecordDecl& type);
  void initialise_by_list(const Place& place, const clang::InitListExpr& list,
                          clang::QualType type);
  void initialise_elements(const Place& place, const clang::InitListExpr& list);
  const Value* invoke_method(const clang::FunctionDecl& function, const Place& callee,
                             llvm::ArrayRef<Place> arguments, const Call& from);
  bool step();
  void give_up() { gave_up_ = true; }
  /// An object begins to live. What its destructor does at the end is not executed.
  void begin_life(clang::QualType type) { gave_up_ |= destruction_.runs_program(type); }
  [[nodiscard]] Frame& frame() { return *frames_.back(); }
  [[nodiscard]] bool is_certain() const {
    return lost_branches_ == 0 && handlers_ == 0 && !state_.guarded && !state_.stopped;
  }
  /// Executes both ways that follow a condition, or the one that it decides for.
  void branch(const Value* condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise);

  clang::ASTContext& ast_;
  Findings& findings_;
  Arena arena_;
  State state_;
  std::vector<Frame*> frames_;
  unsigned lost_branches_ = 0;  ///< Branches around, by conditions that may be related to shapes.
  unsigned handlers_ = 0;       ///< Handlers of exceptions around.
  std::size_t steps_ = 0;
  std::size_t limit_;
  std::size_t entry_limit_ = 0;
  llvm::DenseMap<const clang::FunctionDecl*, Native> natives_;
  Destruction destruction_;
  bool gave_up_ = false;
};

}  // namespace ddx::compiler::shapes
