/// \file
/// The compiler's intermediate representation: structured regions over typed values and access
/// paths.
///
/// Every text in the IR is C++ with holes: `\1N\2` denotes root number N, so that one text
/// serves the forward sweep (the root's name) and the reverse sweep (wherever its value is found
/// there).

#pragma once

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/ir/key.h"
#include "compiler/rules/scalar_rules.h"
#include "compiler/support/stage.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {
struct RegisteredDerivative;
}  // namespace ddx::compiler

namespace ddx::compiler::ir {

struct Block;
struct Root;
struct Statement;
struct Value;

/// One place among the residuals: a field of the function's or of a loop iteration's.
struct Slot {
  std::string type;
  std::string name;
};

/// Where residuals live: the residuals of the function (no loop) or of one iteration of `loop`.
struct Level {
  Level* parent = nullptr;
  Statement* loop = nullptr;
  std::string name;  ///< Spelling of these residuals in both sweeps: "r", "it3".
  std::vector<Slot*> slots;
};

/// One step of an access path: a field, a base class, an element of a tuple, a part of a complex
/// number, or an element whose index is a sum.
struct Step {
  const clang::FieldDecl* field = nullptr;
  const clang::CXXRecordDecl* base = nullptr;
  llvm::SmallVector<Value*, 2> index;
  int part = -1;  ///< Number of an element of a tuple; of a complex number: 0 real, 1 imaginary.
  bool of_number = false;    ///< `part` is that of a complex number.
  bool segmented = false;    ///< Element of a deque: its neighbours lie elsewhere.
  bool of_sum_type = false;  ///< `part` is an alternative of a std::variant or std::optional.
  bool is_element() const { return !field && !base && part < 0; }
};

/// An lvalue: a root, then fields and elements. For pointers the path of the element pointed to.
struct Path {
  Root* root = nullptr;
  llvm::SmallVector<Step, 2> steps;
  clang::QualType type;  ///< Of the object that the path names.
  /// True for the part of an object that is a base class: a cast leads from it to the whole.
  bool is_base_class() const { return !steps.empty() && steps.back().base; }
};

/// A named object: variable, parameter, `*this`, materialised temporary.
struct Root {
  enum class Kind { Local, Scalar, Reference, Pointer, Induction, Alias, Global };

  unsigned id = 0;
  Kind kind = Kind::Local;
  std::string name;                      ///< In the forward sweep.
  clang::QualType type;                  ///< Of the object; of the element for Pointer.
  const clang::VarDecl* decl = nullptr;  ///< Global: the variable.
  clang::SourceLocation where;
  Level* level = nullptr;
  Block* block = nullptr;
  bool has_tangent = false;  ///< Its type has a tangent.
  bool is_constant = false;  ///< Bound to const: not written through this name.
  bool is_unchanged =
      false;           ///< Reference or pointer whose object does not change between the sweeps.
  unsigned group = 0;  ///< Parameters: what may overlap; 0 may overlap with any.
  bool noalias_group = false;  ///< Parameters: overlap with those of their group alone.
  bool is_null = false;        ///< Parameters: a pointer that every caller of this key leaves null.
  bool exclusive = false;      ///< Parameters: overlaps with no other parameter.
  bool exclusive_adjoint = false;  ///< Parameters: no other active one overlaps with it.
  /// Reference: declared here, to what text yields. Objects with other names may be part of it.
  bool bound_to_text = false;
  Path target;  ///< Alias: what it is bound to.
  bool is_pointer_alias = false;

  bool exposed =
      false;            ///< Its address, or one of a part, is passed on: it has names unknown here.
  unsigned writes = 0;  ///< Statements that write it after its declaration.
  bool resized = false;  ///< Some statement may change its number of elements.
  bool varied = false;
  bool useful = false;
  bool active() const { return has_tangent && varied && useful; }

  Slot* slot = nullptr;        ///< Its value, when one saved copy serves every use.
  bool named = false;          ///< Parameter: the reverse sweep reads it by name.
  Value* initial = nullptr;    ///< Scalar written only by its declaration: its value.
  bool keepable = false;       ///< Local: may live among the residuals or in the arena.
  Slot* kept_slot = nullptr;   ///< Local: lives there until the reverse sweep.
  Slot* size_slot = nullptr;   ///< Number of elements at the end of its scope.
  Slot* shape_slot = nullptr;  ///< A tangent of zeros with its shape.
};

struct SavedTile;

/// Consecutive elements that are copied in front of a loop: what its iterations load from one
/// array.
struct SavedSlice {
  Statement* loop = nullptr;
  Statement* home = nullptr;  ///< The loop in front of which they are copied: `loop` or around it.
  Slot* slot = nullptr;       ///< In the residuals of that loop's level; null for one of a tile.
  SavedTile* tile = nullptr;  ///< What the iterations of a loop around `loop` load.
  long row = 0;               ///< Of these, counted from the iteration's own.
  std::string array;          ///< Text of a pointer to the array's first element.
  std::string base;  ///< Text: index of an element, less the loop's counter and a constant.
  /// Text in front of `home`: the same array, the index of the loop's first element (of a tile: in
  /// row 0), and the number of elements.
  std::string array_at_home, first_at_home, trips_at_home;
  long low = 0;      ///< Least constant of a load.
  long high = 0;     ///< Greatest.
  std::string type;  ///< Of an element.
};

/// Slices that lie one distance further with each iteration of a loop: copied at once, so that
/// neighbours which several iterations load are kept once.
struct SavedTile {
  Statement* over = nullptr;  ///< The loop whose iterations load one slice after the other.
  Statement* home = nullptr;  ///< The loop in front of which they are copied: `over` or around it.
  Slot* slot = nullptr;       ///< In the residuals of that loop's level.
  /// Text in front of `home`: elements from one to the next, and the number of iterations.
  std::string distance, trips;
  llvm::SmallVector<SavedSlice*, 4> members;
};

/// A single-assignment value.
struct Value {
  enum class Kind { Text, Load, Operation, Call };
  enum class Found { Unneeded, Recomputed, Copied, Saved };

  unsigned id = 0;
  Kind kind = Kind::Text;
  clang::QualType type;
  clang::SourceLocation where;
  Block* block = nullptr;
  Level* level = nullptr;
  bool has_tangent = false;

  std::string text;                   ///< Text: the expression. Operation: form over $0 $1 ….
  llvm::SmallVector<Root*, 2> reads;  ///< Roots named in `text`.
  bool cheap = false;                ///< Text: may be evaluated again wherever its roots are found.
  Path path;                         ///< Load.
  const ScalarRule* rule = nullptr;  ///< Operation: null when it has no derivative.
  llvm::SmallVector<Value*, 3> operands;
  Statement* call = nullptr;
  unsigned order = 0;  ///< Of the statement that defines it.

  bool varied = false;
  bool useful = false;
  bool active() const { return has_tangent && varied && useful; }

  unsigned uses = 0;
  unsigned whole_uses = 0;  ///< Those that copy it: by a declaration, a store or a return.
  bool nested_use = false;  ///< Used in another block than its own.
  Found found = Found::Unneeded;
  Slot* slot = nullptr;
  Level* slot_level = nullptr;
  Slot* slope_slot = nullptr;  ///< Operation: its slope, computed with it, in its own level.
  /// A sine or cosine behind the other one of the same angle: its value is that one's slope,
  /// except for the sign, and the other way round.
  Value* partner = nullptr;
  SavedSlice* slice = nullptr;  ///< Copied: where.
  Statement* slice_loop =
      nullptr;                ///< Copied: the loop whose iteration's number finds the element.
  long slice_offset = 0;      ///< Copied: the constant in its index.
  Statement* user = nullptr;  ///< The last statement that uses it.
  Statement* linear_in =
      nullptr;  ///< Text of an integer that this loop only steps: found by the iteration's number.
  Root* linear_root = nullptr;
  bool linear_after = false;    ///< It is read behind the step.
  bool adjoint_at_use = false;  ///< Its adjoint is defined by its only use.
  bool folded = false;          ///< Printed where it is used, in the forward sweep.
  unsigned depth = 0;           ///< Of the expression that it is printed as, in the forward sweep.
  bool emitted = false;
};

/// A call whose callee's body was lowered in its place.
struct InlineSite {
  const clang::FunctionDecl* callee = nullptr;
  clang::SourceLocation where;
  const InlineSite* outer = nullptr;
};

/// An argument of a call, one for each expanded parameter of the callee.
struct Argument {
  enum class Kind { Value, Reference, Pointer, Text };
  Kind kind = Kind::Value;
  Value* value = nullptr;
  Path path;
  std::string text;
  bool has_tangent = false;
  bool is_constant = false;  ///< The callee does not write through it.
  llvm::SmallVector<Root*, 2>
      reads;  ///< Text: roots named in it, where the parameter could hold or tell real numbers.
  bool is_default = false;  ///< Left out by the caller.
  bool is_null = false;     ///< Text: a null pointer.
  bool is_moved = false;    ///< A temporary made for a parameter taken by value.
  clang::QualType type;     ///< Text: of the parameter.
  clang::SourceLocation where;
};

struct Derivative;

/// What a call does with its callee, handed as an object to a function of `ddx/ad/detail`.
struct FunctorCall {
  enum class Kind {
    Gradient,          ///< Takes its gradient by the arguments of the numbers `by`.
    Pullback,          ///< Pulls its first argument back to those of the numbers `by`.
    Checkpoint,        ///< Keeps the arguments alone, and runs it again on the way back.
    CheckpointedLoop,  ///< The same, step by step, with some of the states between.
    ChangedCotangent,  ///< Is nothing but its last argument; the cotangent is what it changes.
    Cond,              ///< Is one of two functions, and may be recorded as a graph of both.
    Scan,              ///< Is one turn of a loop over slices, which may be recorded as a graph.
    WhileLoop,         ///< The same, of a loop with a condition.
    Map,               ///< Is called for many examples at once, recorded as a graph.
  };
  Kind kind;
  std::vector<unsigned> by;
  std::string name;  ///< A class whose objects call the callee.
};

struct SwitchSegment {
  std::vector<std::string> labels;  ///< "case 3:" …, "default:".
  Block* body = nullptr;
};

/// Sites that leave a region: the greatest number of a return, break or continue site in it.
struct Exits {
  unsigned last_return = 0;
  llvm::SmallVector<std::pair<Statement*, unsigned>, 2> breaks;
  llvm::SmallVector<std::pair<Statement*, unsigned>, 2> continues;
  bool any() const { return last_return || !breaks.empty() || !continues.empty(); }
};

/// A comparison of a real with a constant that holds, or fails, at one value alone.
struct ExactComparison {
  clang::SourceLocation where;
  std::string text;  ///< As it is written.
  bool holds = true;
  llvm::SmallVector<Root*, 2> reads;  ///< What the real is computed from.
};

struct Statement {
  enum class Kind {
    Define,
    Store,
    Declare,
    Bind,
    Call,
    If,
    Loop,
    Switch,
    Return,
    Break,
    Continue,
    Block,
    Text,
    Vector,
    Check,
    Unsupported
  };
  enum class StoreMode { Assign, Add, Subtract };
  enum class LoopForm { Counted, While, DoWhile, Forever };
  /// Prepend, RemoveFirst: of a std::deque.
  enum class VectorAction { Append, RemoveLast, Resize, Clear, Fill, Prepend, RemoveFirst };

  Kind kind;
  clang::SourceLocation where;
  Block* block = nullptr;
  Level* level = nullptr;
  unsigned order = 0;  ///< Its number in the text of the function.

  Value* value =
      nullptr;  ///< Define: result. Store, Declare, Return: the value. If, Switch: condition.
  Path path;    ///< Store, Vector: target.
  StoreMode mode = StoreMode::Assign;
  /// Declare, Bind; Loop: induction variable; Text: the object that is complete after it.
  Root* root = nullptr;
  std::string
      text;  ///< Declare: initialiser with its brackets. Text: the statement. Loop: condition.
  std::string increment_text;  ///< Loop: increment, when it is only text.
  llvm::SmallVector<Root*, 4> reads;
  llvm::SmallVector<Root*, 2> text_writes;  ///< Text, Loop header: roots written.
  llvm::SmallVector<const clang::FunctionDecl*, 1>
      text_callees;  ///< Functions with bodies that the text calls.
  llvm::SmallVector<Root*, 2>
      stands_for;           ///< Declare: a copy that replaces one of these objects by reference.
  bool by_address = false;  ///< Text: may write what it does not name, if its address is known.
  bool in_storage = false;  ///< Declare: constructed field by field in raw storage.
  bool constructs = false;  ///< Store: makes the object in raw storage, or in a new sum type.
  bool always = false;      ///< Unsupported: wrong whatever it touches.
  std::vector<ExactComparison> exact;  ///< If: those in its condition.
  Diagnostic diagnostic =
      Diagnostic::UnsupportedObject;    ///< Unsupported, Declare: what is said when rejected.
  std::vector<std::string> facts;       ///< Arguments of that text.
  clang::SourceRange range;             ///< Unsupported: the source that it represents.
  const InlineSite* inlined = nullptr;  ///< The call whose body it was lowered from.
  llvm::SmallVector<const clang::VarDecl*, 2>
      unplaced;             ///< Unsupported: variables it names that have no place in the IR.
  Root* stepped = nullptr;  ///< Text: the integer that it only steps, by `step`.
  bool harmless = false;    ///< Text: changes no value.
  bool assigns_character = false;  ///< Text: assigns one character.
  Path reserved;                   ///< Text: the vector that gets room.
  bool writes_inactive = false;    ///< Text, Define: writes parts of objects that have no tangent.
  VectorAction action = VectorAction::Append;
  Value* count = nullptr;  ///< Vector: new size.

  // Call
  const clang::FunctionDecl* callee = nullptr;
  const RegisteredDerivative* registered = nullptr;
  std::optional<FunctorCall> functor;  ///< Call: the callee is handed over as an object.
  std::vector<const clang::FunctionDecl*> targets;
  std::vector<Argument> arguments;
  Derivative* derivative = nullptr;  ///< Chosen by the driver after the activity analysis.
  /// Residuals of the callee, or pullback; Vector: old size, old shape.
  Slot* slot = nullptr;
  /// Unsupported: the expression as it stands, where it can be printed. Call: what stands there
  /// when the callee is another function, lowered in its place.
  std::string primal_text;
  bool by_name = false;  ///< Call: can be made as it stands, with the arguments as lowered.
  bool boxed = false;    ///< Call: the callee's residuals are allocated in the arena.

  bool writes_global = false;  ///< Call: writes real numbers to a global, somewhere.

  // If, Loop, Switch, Block
  Block* body = nullptr;
  Block* otherwise = nullptr;
  Block* increment = nullptr;
  LoopForm form = LoopForm::While;
  Value* begin = nullptr;
  Value* end = nullptr;
  long step = 1;
  bool inclusive = false;
  long offset = 0;         ///< Loop: what the test adds to the induction variable.
  Level* inner = nullptr;  ///< Loop: level of one iteration.
  std::vector<SwitchSegment> segments;

  unsigned site = 0;            ///< Return, Break, Continue: number of the site.
  Statement* target = nullptr;  ///< Break, Continue: the statement left.
  unsigned break_sites = 0;     ///< Loop, Switch: break sites met so far.
  unsigned continue_sites = 0;
  bool uses_goto = false;  ///< Loop: continue is a jump to the increment.
  Exits exits;             ///< Sites inside that leave this statement.

  std::vector<std::pair<Root*, std::pair<Slot*, long>>>
      linear;                                ///< Loop: stepped integers: value at entry, step.
  llvm::SmallVector<SavedSlice*, 2> slices;  ///< Loop: of what it loads.
  llvm::SmallVector<SavedSlice*, 2> copied;  ///< Loop: in front of it.
  llvm::SmallVector<SavedTile*, 1> tiles;    ///< Loop: copied in front of it.
  Slot* count_slot = nullptr;                ///< Loop: iterations begun.
  Slot* begin_slot = nullptr;
  Slot* nodes_slot = nullptr;  ///< Loop: residuals of the iterations.
  Slot* break_slot = nullptr;
  Statement* last_writer = nullptr;  ///< Loop: an `if` of which only the last time counts.
  bool only_last = false;            ///< Loop: the reverse sweep needs that iteration alone.
  Slot* last_slot = nullptr;  ///< If: number of that iteration, from 1; 0 where it never ran.
  /// If: the one exit in it, at the end of its body. Its branch was taken where control left there.
  const Statement* only_exit = nullptr;
  Slot* continue_slot = nullptr;  ///< In `inner`.
  Slot* entry_slot = nullptr;     ///< Switch: segment entered. If: outcome.
  bool chained = false;   ///< Loop: residuals form a chain; their number is not known before.
  bool reversed = false;  ///< The reverse sweep has something to do here.
};

struct Block {
  Block* parent = nullptr;
  Level* level = nullptr;
  Statement* owner = nullptr;
  std::vector<Statement*> statements;
  std::vector<Root*> roots;  ///< Declared directly here.
};

struct Function {
  Key key;
  std::vector<Root*>
      parameters;  ///< Expanded, in order; null for parameters that are only passed on as text.
  std::vector<std::string> parameter_types;  ///< As spelled in the forward sweep.
  clang::QualType result;
  Block* body = nullptr;
  Level* level = nullptr;
  unsigned return_sites = 0;
  bool single_exit = true;
  bool cuts = false;         ///< It calls without_derivative.
  bool is_deferred = false;  ///< It calls an entry that is not defined yet.
  Slot* exit_slot = nullptr;

  std::deque<Value> values;
  std::deque<Root> roots;
  std::deque<Block> blocks;
  std::deque<Level> levels;
  std::deque<Statement> statements;
  std::deque<Slot> slots;
  std::deque<SavedSlice> slices;
  std::deque<SavedTile> tiles;
  std::deque<InlineSite> inline_sites;
};

/// Makes a place among the residuals of `level`.
Slot* add_slot(Function& function, Level* level, std::string type, const std::string& name);

/// Renders the function as lowered, with the facts of later stages where they are known.
std::string to_string(const Function& function, Stage stage);

/// Replaces each hole of `text` by what `spell` says of the root.
template <class Spell>
std::string fill_holes(const Function& function, const std::string& text, Spell&& spell) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\1') {
      result += text[i];
      continue;
    }
    const std::size_t close = text.find('\2', i);
    const unsigned id = static_cast<unsigned>(std::stoul(text.substr(i + 1, close - i - 1)));
    result += spell(const_cast<Root&>(function.roots[id]));
    i = close;
  }
  return result;
}

/// The operands that the text of an operation names: those behind are only differentiated by.
inline llvm::ArrayRef<Value*> printed_operands(const Value& value) {
  const llvm::ArrayRef<Value*> all = value.operands;
  return value.rule && value.rule->printed > 0 ? all.take_front(value.rule->printed) : all;
}

/// What a name denotes: an alias is one for its target, or for a part of it.
inline const Root& named_root(const Root& root) {
  return root.kind == Root::Kind::Alias ? named_root(*root.target.root) : root;
}

inline std::string hole(const Root& root) {
  return "\1" + std::to_string(root.id) + "\2";
}

/// An expression as a statement: `n && q;` alone reads as a declaration of `q`.
inline std::string unused_value(const std::string& expression) {
  return "static_cast<void>(" + expression + ")";
}

}  // namespace ddx::compiler::ir
