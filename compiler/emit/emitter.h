/// \file
/// Writes the struct of residuals, the forward sweep and the reverse sweep of one function as C++
/// text.

#pragma once

#include "compiler/analysis/array_part.h"
#include "compiler/ir/derivative.h"
#include "compiler/residuals/residuals.h"
#include "compiler/support/context.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::compiler {

/// The adjoint of a local vector, in an array of the arena.
struct AdjointArray {
  bool appended = false;  ///< The reverse sweep counts where it ends.
};
using AdjointArrays = llvm::DenseMap<const ir::Root*, AdjointArray>;

class Emitter {
 public:
  Emitter(const Context& context, ir::Derivative& derivative, const Writes& writes)
      : context_(context),
        derivative_(derivative),
        function_(derivative.function),
        writes_(writes) {}
  virtual ~Emitter() = default;

  /// Fills the derivative's texts.
  void run();

  /// Fills the texts of the reverse sweep that computes several rows of a Jacobian at once, of a
  /// derivative that run() has been called for and that serves_several_rows.
  void run_batched();

 protected:
  bool uses_arena() const;

  enum class Sweep { Forward, Reverse };

  // spelling.cpp
  void count_uses();
  void decide_folding(ir::Block& block);
  std::string root(const ir::Root& root, Sweep sweep);
  std::string path(const ir::Path& path, Sweep sweep);
  std::string writable(const ir::Path& path);
  std::string spelled_from(std::string result, const ir::Path& path, std::size_t first,
                           Sweep sweep);
  std::string pointer(const ir::Path& path, Sweep sweep);
  std::string index(const ir::Step& step, Sweep sweep);
  std::string value(const ir::Value& value, Sweep sweep);
  std::string expression(const ir::Value& value, Sweep sweep);
  std::string operation_text(const ir::Value& computed, Sweep sweep);
  std::string linear(const ir::Value& read);
  std::string text(const std::string& with_holes, Sweep sweep);
  std::string adjoint(const ir::Path& path, Sweep sweep = Sweep::Reverse);
  std::string adjoint_pointer(const ir::Path& path, Sweep sweep = Sweep::Reverse);
  std::string adjoint(const ir::Value& value) { return "d_t" + std::to_string(value.id); }
  std::string adjoint(const ir::Root& root) { return "d_" + root.name; }
  std::string slot(const ir::Slot* slot, const ir::Level* level) {
    return level->name + "." + slot->name;
  }
  std::string type(clang::QualType type) const {
    return context_.names.type(type.getNonReferenceType().getUnqualifiedType());
  }
  std::string tangent(clang::QualType type) {
    const std::string one = context_.types.tangent(type);
    return is_batched_ ? "ddx::detail::LanesOf<" + one + ", ddx_lanes>" : one;
  }
  /// The type of the adjoint of a number.
  std::string adjoint_type(clang::QualType number) {
    return is_batched_ ? tangent(number) : type(number);
  }

  // forward.cpp
  void forward_block(ir::Block& block);
  virtual void forward_statement(ir::Statement& statement);
  void forward_define(ir::Value& value, const ir::Statement& statement);
  std::string handed_on(const ir::Value& given);
  bool stays_in_residuals(clang::QualType kept) const;
  void forward_declare_kept(ir::Statement& statement);
  void forward_declare(ir::Statement& statement);
  void forward_store(ir::Statement& statement);
  std::string shifted(const ir::Statement& loop, const std::string& counter);
  void copy_slices(const ir::Statement& loop, const std::string& begin, const std::string& end);
  void fetch_copies(const ir::Statement& loop);
  void copy_tile(const ir::SavedTile& rows);
  std::string copied(const ir::Value& load);
  void forward_loop(ir::Statement& loop);
  void forward_switch(ir::Statement& statement);
  void forward_vector(ir::Statement& statement);
  void forward_jump(ir::Statement& statement);
  void forward_call(ir::Statement& call);
  std::string registered_arguments(const ir::Statement& call);
  void call_as_it_stands(const ir::Statement& call, const std::string& declared);
  void save(const ir::Value& value);
  std::string arguments(const ir::Statement& call, bool leave_out_defaults, bool skip_first);
  std::string argument(const ir::Argument& argument);

  // shapes.cpp
  void save_shape(const ir::Root& root);
  void save_whole_shape(const ir::Root& shaped);
  bool has_shape_at_end(const ir::Root& shaped) const;
  void save_shapes_from(std::size_t first);
  void save_shapes_left_by(const ir::Statement& jump);
  void save_shape_of(const ir::Path& changed);
  void save_changed_shape(const ir::Statement& statement);
  void save_resized(const ir::Statement& statement);
  void save_old_shape(const ir::Statement& statement, const std::string& target);
  void restore_size(const ir::Statement& statement, const std::string& target);

  // reverse.cpp
  void reverse_block(ir::Block& block);
  void reverse_statements(const std::vector<ir::Statement*>& statements, std::size_t from);
  void reverse_statement(ir::Statement& statement);
  void reverse_define(ir::Value& value);
  void reverse_declare(ir::Statement& statement);
  void reverse_store(ir::Statement& statement);
  void reverse_sum_type(ir::Statement& statement);
  void reverse_vector(ir::Statement& statement);
  void reverse_switch(ir::Statement& statement);
  void reverse_return(ir::Statement& statement);
  void reverse_call(ir::Statement& call);
  void reverse_registered(ir::Statement& call);
  void decide_adjoints_at_use(ir::Block& block);
  void declare_adjoints(ir::Block& block);
  void add_to(ir::Value& value, const std::string& increment);
  void pass_object(ir::Value& value, const std::string& moved);
  std::string entered(const ir::Exits& exits);
  std::string taken(const ir::Statement& branch);
  void clear_exits(const ir::Exits& exits);
  std::string partial(const ir::Value& value, unsigned operand, Sweep sweep);
  std::string product(const ir::Value& value, unsigned operand, const std::string& with,
                      Sweep sweep);

  // reverse_loops.cpp
  std::string trips(const ir::Statement& loop);
  void reverse_loop(ir::Statement& loop);
  void reverse_iterations(ir::Statement& loop);
  void reverse_counters(const ir::Statement& loop, bool upwards);

  // reciprocals.cpp
  std::string reciprocal(const ir::Value& divisor, clang::QualType of_type, Sweep sweep);
  std::string quotient_product(const ir::Value& division, unsigned operand, const std::string& with,
                               Sweep sweep);

  // zero_adjoints.cpp
  bool is_idle_when_left(const std::vector<ir::Statement*>& statements, std::size_t from,
                         std::size_t end) const;
  bool is_idle_when_taken(const std::vector<ir::Statement*>& statements, std::size_t from,
                          std::size_t end) const;

  // flat_adjoints.cpp
  void decide_flat_adjoints();
  llvm::SmallVector<const ir::Root*> flat_in(const ir::Statement& loop) const;
  bool is_flat(const ir::Root& root) const { return flat_.contains(&root); }
  std::string adjoint_elements(const ir::Path& vector);
  std::optional<std::string> flat_array_of(const ir::Path& element);

  // flat_fields.cpp
  /// A vector in an object, the elements of whose adjoint a pointer is known to.
  struct FlatField {
    ArrayPart part;
    clang::QualType element;
    std::string name;
    std::string pointer;  ///< What the name denotes, outside of the loop.
  };
  std::vector<FlatField> flat_fields_in(const ir::Statement& loop);
  const FlatField* flat_field(const ir::Path& path) const;

  // adjoint_arrays.cpp
  void decide_adjoint_arrays();
  bool is_saved_at_end(const ir::Root& root) const;
  /// True where the adjoint of a vector is known by a pointer to its elements.
  bool is_array(const ir::Root& root) const { return is_flat(root) || arrays_.contains(&root); }
  std::string array_length(const ir::Root& root);
  void declare_arrays(const ir::Block& block);
  void release_arrays(const ir::Block& block);
  void reverse_growth(ir::Statement& statement);
  const ir::Root* handed_back_to(const ir::Value& result) const;
  std::string array_mark(const ir::Block& block);

  // independence.cpp
  bool is_independent(const ir::Statement& loop) const;

  // scatter.cpp
  /// The increments of one array's adjoint at neighbouring places.
  struct Scatter {
    struct Term {
      std::string terms;
      bool same_sign;
      long constant;
    };
    std::string array;  ///< The adjoint, by pointer.
    std::string base;   ///< Of the indices, in front of the loop.
    std::vector<std::pair<const ir::Value*, long>> loads;
    long low = 0;
    long span = 0;
    std::vector<Term> terms;
  };
  /// An array with one term per iteration.
  struct Terms {
    std::string name;
    std::string type;
    long pad;
  };
  static void measure(Scatter& scatter);
  static void leave_out_one_place(Scatter& scatter);
  std::vector<Scatter> find_scatters(const ir::Statement& loop);
  void name_terms(const ir::Statement& loop, std::vector<Scatter>& scatters,
                  std::vector<Terms>& buffers);
  void skip_unread_adjoints(const ir::Statement& loop);
  void gather(const ir::Statement& loop, const std::vector<Scatter>& scatters);
  void gather_one(const ir::Statement& loop, const Scatter& scatter);

  // residual_struct.cpp
  std::string residual_structs();
  std::string level_struct(const ir::Level& level);
  std::string forward_signature();
  std::string reverse_signature();
  void reverse_sweep(const std::string& linkage);

  // whole_exchange.cpp
  bool exchanges_wholes() const;
  void exchange_wholes(bool cotangents);

  /// While one lives, each line stands at the user's line of a call, as debuggers and default
  /// arguments (std::source_location) see it.
  class AtCall {
   public:
    AtCall(Emitter& emitter, const ir::Statement& call);
    AtCall(const AtCall&) = delete;
    AtCall& operator=(const AtCall&) = delete;
    ~AtCall();

   private:
    Emitter& emitter_;
  };

  void line(const std::string& text) { out_ += place_ + std::string(indent_, ' ') + text + "\n"; }
  void open(const std::string& text) {
    leave_scopes();
    line(text);
    indent_ += 2;
  }
  void close(const std::string& text = "}") {
    indent_ -= 2;
    leave_scopes();
    line(text);
  }
  /// Forgets what was declared in scopes that have been closed.
  void leave_scopes() {
    llvm::erase_if(reciprocals_,
                   [this](const Reciprocal& known) { return known.indent > indent_; });
  }

  const Context& context_;
  ir::Derivative& derivative_;
  ir::Function& function_;
  const Writes& writes_;
  const ir::Value* reading_ = nullptr;                ///< The text value being spelled.
  llvm::SmallPtrSet<const ir::Root*, 4> in_storage_;  ///< In raw storage.
  llvm::SmallPtrSet<const ir::Root*, 4> incomplete_;  ///< Of these, what is not yet constructed.
  std::vector<const ir::Root*> shaped_;  ///< In scope: objects with a shape when it ends.
  struct Scope {
    const ir::Block* block;
    std::size_t first_shaped;  ///< Number of the first object that is declared in it.
  };
  llvm::SmallVector<Scope> scopes_;  ///< Around what the forward sweep is written for.
  /// Vectors whose adjoints are at this place known as pointers to those of their elements.
  llvm::DenseSet<const ir::Root*> flat_;
  std::vector<FlatField> flat_fields_;  ///< The same of vectors in objects.
  /// A parameter of a closure: such a pointer.
  struct ElementPointer {
    std::string element;
    std::string name;
  };
  std::vector<ElementPointer> pointers_;  ///< Those of the closures around this place.
  AdjointArrays arrays_;
  const ir::Root* taken_over_ = nullptr;  ///< Among these: the caller's cotangent of the result.
  /// Loads whose cotangent goes to an array of terms, or is there already (an empty name, as of
  /// what only such loads ask for).
  llvm::DenseMap<const ir::Value*, std::string> terms_;
  /// A variable that holds one over a value.
  struct Reciprocal {
    const ir::Value* of;
    std::string name;
    unsigned indent;  ///< Of its declaration.
  };
  std::vector<Reciprocal> reciprocals_;  ///< Those in scope.
  bool is_batched_ = false;              ///< The reverse sweep is that of several rows.
  std::string out_;
  std::string place_;  ///< Stands before each line: the user's line; empty: none.
  unsigned indent_ = 0;
};

/// What an adjoint begins with. Minus zero alone leaves all that is added to it as it is, so that
/// the optimiser drops the first sum: 0.0 + x is another number than x where x is minus zero.
constexpr const char* nothing_yet = "-0.0";

/// True when all that is done with the value, an object as a whole, is to copy it.
bool is_handed_over(const ir::Value& whole);

/// True when the object declared is what a call returns, and the reverse of the call takes over the
/// elements of its adjoint.
bool is_handed_back(const ir::Statement& declaration);

/// True when `level` keeps anything for an iteration.
bool has_residuals(const ir::Level& level);

}  // namespace ddx::compiler
