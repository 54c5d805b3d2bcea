#include "compiler/emit/reverse_loops.h"

#include "compiler/analysis/activity.h"
#include "compiler/emit/all_parts.h"

#include <cstdint>
#include <cstdlib>

namespace ddx::compiler {

using namespace ir;

/// Declares what the iterations count at its last value, and opens the loop that steps it back; or
/// upwards from its first value.
/// Each is a variable of its own type that is stepped where the next iteration is known to come: so
/// it never overflows, and the optimiser sees consecutive elements.
void ReverseLoops::reverse_counters(const Statement& loop, bool upwards) {
  const std::string last = loop.inner->name + "_k - 1";
  std::string steps;
  const auto declare = [&](clang::QualType counted, const std::string& name,
                           const std::string& begin, std::int64_t step) {
    const std::string spelled = speller_.type(counted);
    line("[[maybe_unused]] " + spelled + " " + name + " = " +
         (upwards ? "static_cast<" + spelled + ">(" + begin + ")"
                  : "ddx::detail::counter_at<" + spelled + ">(" + begin + ", " + last + ", " +
                        std::to_string(step) + ")") +
         ";");
    const std::string by = std::to_string(std::abs(step));
    steps += (steps.empty() ? "" : ", ") + name + ((step < 0) == upwards ? " -= " : " += ") + by;
  };
  if (loop.form == Statement::LoopForm::Counted) {
    declare(loop.root->type, loop.root->name, speller_.value(*loop.begin, Sweep::Reverse),
            loop.step);
  }
  for (const auto& [stepped, entry] : loop.linear) {
    declare(stepped->type, "at_" + entry.first->name, speller_.slot(entry.first, loop.level),
            entry.second);
  }
  const std::string k = loop.inner->name + "_k";
  open(upwards ? "for (std::size_t " + k + " = 0; " + k + " < " + loop.inner->name + "_n; ++" + k +
                     ", " + steps + ") {"
               : "for (;; " + steps + ") {");
}

/// The number of iterations that ran.
std::string ReverseLoops::trips(const Statement& loop) {
  if (loop.count_slot) {
    return speller_.slot(loop.count_slot, loop.level);
  }
  return std::string("ddx::detail::") + (loop.inclusive ? "trip_count_inclusive(" : "trip_count(") +
         shifted(loop, speller_.value(*loop.begin, Sweep::Reverse)) + ", " +
         speller_.value(*loop.end, Sweep::Reverse) + ", " + std::to_string(loop.step) + ")";
}

/// `__restrict` says something on parameters alone, so a loop that reaches adjoints of local
/// vectors, or of vectors in objects, stands in a closure that takes pointers to them. So do the
/// terms that it scatters.
void ReverseLoops::reverse_loop(Statement& loop) {
  const llvm::SmallVector<const Root*> vectors = flat_adjoints_.flat_in(loop);
  std::vector<std::string> elements;
  for (const Root* vector : vectors) {
    elements.push_back(adjoint_arrays_.is_array(*vector)
                           ? speller_.adjoint(*vector)
                           : "std::data(" + speller_.adjoint(*vector) + ")");
  }
  const std::vector<FlatField> fields = flat_adjoints_.flat_fields_in(loop);
  flat_adjoints_.enter(vectors, fields);
  std::vector<Scatter> scatters = scatters_.find_scatters(loop);
  std::vector<ScatterTerms> buffers;
  scatters_.name_terms(loop, scatters, buffers);
  std::string parameters, arguments;
  const auto pass = [&](const std::string& element, const std::string& name,
                        const std::string& argument) {
    const std::string separator = parameters.empty() ? "" : ", ";
    parameters += separator + element + "* __restrict " + name;
    arguments += separator + argument;
  };
  const std::size_t around = pointers_.size();
  for (const auto& [vector, given] : llvm::zip_equal(vectors, elements)) {
    pointers_.push_back(
        {speller_.tangent(context_.types.element(vector->type)), speller_.adjoint(*vector)});
    pass(pointers_.back().element, pointers_.back().name, given);
  }
  for (const FlatField& field : fields) {
    pointers_.push_back({speller_.tangent(field.element), field.name});
    pass(pointers_.back().element, field.name, field.pointer);
  }
  const std::string& it = loop.inner->name;
  for (const ScatterTerms& terms : buffers) {
    pass(terms.type, terms.name,
         "ddx::detail::padded_terms<" + terms.type + ">(arena, " + it + "_trips, " +
             std::to_string(terms.pad) + ")");
  }
  // What a closure captures is no parameter: those of the closures around are passed.
  for (std::size_t i = 0; i < around && !parameters.empty(); ++i) {
    pass("[[maybe_unused]] " + pointers_[i].element, pointers_[i].name, pointers_[i].name);
  }
  if (const Statement* const around_it = loop.level->loop; around_it && !scatters.empty()) {
    const auto pass_counter = [&](const Root& counter, const std::string& name) {
      parameters += ", [[maybe_unused]] " + speller_.type(counter.type) + " " + name;
      arguments += ", ddx::detail::any_counter(" + name + ")";
    };
    if (around_it->form == Statement::LoopForm::Counted) {
      pass_counter(*around_it->root, around_it->root->name);
    }
    for (const auto& [stepped, entry] : around_it->linear) {
      pass_counter(*stepped, "at_" + entry.first->name);
    }
  }
  if (!scatters.empty()) {
    open("if (const std::size_t " + it + "_trips = " + trips(loop) + "; " + it + "_trips > 0) {");
    line("const ddx::detail::Arena::Mark " + it + "_mark = arena.mark();");
  }
  if (!parameters.empty()) {
    open("[&](" + parameters + ") DDX_INLINE_CLOSURE {");
    line("DDX_ADJOINT_SUM");
  }
  slice_copies_.fetch_copies(loop);
  reverse_iterations(loop);
  scatters_.gather(loop, scatters);
  if (!parameters.empty()) {
    close("}(" + arguments + ");");
  }
  if (!scatters.empty()) {
    line("arena.release(" + it + "_mark);");
    close();
  }
  flat_adjoints_.leave(vectors, fields);
  pointers_.resize(around);
}

/// The increment ran unless the body was left for good.
void ReverseLoops::reverse_increment(Statement& loop) {
  Exits leaves;
  Statement* self = &loop;
  for (const Statement* statement : loop.body->statements) {
    leaves.last_return = std::max(leaves.last_return, statement->exits.last_return);
    for (const auto& exit : statement->exits.breaks) {
      leaves.breaks.push_back(exit);
    }
    for (const auto& exit : statement->exits.continues) {
      if (exit.first != self) {
        leaves.continues.push_back(exit);
      }
    }
  }
  if (leaves.any()) {
    open("if (" + conditions_.entered(leaves) + ") {");
    reverse_.reverse_block(*loop.increment);
    close();
  } else {
    reverse_.reverse_block(*loop.increment);
  }
}

void ReverseLoops::reverse_iterations(Statement& loop) {
  const std::string& it = loop.inner->name;
  const bool saves = has_residuals(*loop.inner);
  const std::string node = derivative_.residuals() + "_" + it;
  open("{");
  if (loop.break_slot) {
    line("unsigned left_" + loop.break_slot->name + " = " +
         speller_.slot(loop.break_slot, loop.level) + ";");
  }
  if (saves && loop.chained) {
    line("const " + node + "* " + it + "_node = " + speller_.slot(loop.nodes_slot, loop.level) +
         ";");
  } else if (saves) {
    line("const " + node + "* const " + it +
         "_nodes = " + speller_.slot(loop.nodes_slot, loop.level) + ";");
  }
  const bool upwards = !loop.only_last && is_independent(loop);
  const std::string counted = it + (upwards ? "_n" : "_k");
  const std::string count =
      loop.only_last ? speller_.slot(loop.last_writer->last_slot, loop.level) : trips(loop);
  open("if (std::size_t " + counted + " = " + count + "; " + counted + " > 0) {");
  reverse_counters(loop, upwards);
  if (!upwards) {
    line("--" + it + "_k;");
  }
  if (saves && loop.chained) {
    line("const " + node + "& " + it + " = *" + it + "_node;");
    line(it + "_node = " + it + ".previous;");
  } else if (saves) {
    line("const " + node + "& " + it + " = " + it + "_nodes[" + it + "_k];");
  }
  if (loop.continue_slot) {
    line("unsigned skipped_" + loop.continue_slot->name + " = " +
         speller_.slot(loop.continue_slot, loop.inner) + ";");
  }
  if (loop.increment) {
    reverse_increment(loop);
  }
  reverse_.reverse_block(*loop.body);
  if (loop.only_last) {
    line("break;");
  } else if (!upwards) {
    line("if (" + it + "_k == 0) break;");
  }
  close();
  close();
  close();
}

}  // namespace ddx::compiler
