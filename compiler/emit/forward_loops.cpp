#include "compiler/emit/forward_loops.h"

#include "compiler/emit/all_parts.h"

#include <cstdlib>

namespace ddx::compiler {

using namespace ir;

std::string shifted(const Statement& loop, const std::string& counter) {
  return loop.offset == 0 ? counter
                          : "(" + counter + (loop.offset > 0 ? " + " : " - ") +
                                std::to_string(std::abs(loop.offset)) + ")";
}

/// Allocates the residuals of a counted loop, copies what it reads later, and returns its first
/// line.
std::string ForwardLoops::begin_counted(const Statement& loop) {
  const std::string begin = speller_.value(*loop.begin, Sweep::Forward);
  const std::string end = speller_.value(*loop.end, Sweep::Forward);
  const std::string& i = loop.root->name;
  if (has_residuals(*loop.inner) && !loop.chained) {
    const std::string node = node_type(loop);
    const std::string nodes = loop.inner->name + "_nodes";
    line(node + "* const " + nodes + " = arena.alloc<" + node +
         ">(ddx::detail::" + (loop.inclusive ? "trip_count_inclusive(" : "trip_count(") +
         shifted(loop, begin) + ", " + end + ", " + std::to_string(loop.step) + "));");
    line(speller_.slot(loop.nodes_slot, loop.level) + " = " + nodes + ";");
  }
  slice_copies_.copy_slices(loop, begin, end);
  const char* test =
      loop.step > 0 ? (loop.inclusive ? " <= " : " < ") : (loop.inclusive ? " >= " : " > ");
  const std::string type = speller_.type(loop.root->type);
  return "for (" + type + " " + i + " = " + begin + "; " + shifted(loop, i) + test + end + "; " +
         (loop.step == 1 ? "++" + i
          : loop.step == -1
              ? "--" + i
              : i + " += static_cast<" + type + ">(" + std::to_string(loop.step) + ")") +
         ") {";
}

/// Writes what stands in front of a loop. Returns: its first line.
std::string ForwardLoops::begin_loop(const Statement& loop) {
  switch (loop.form) {
    case Statement::LoopForm::Counted:
      return begin_counted(loop);
    case Statement::LoopForm::While:
      return "while (" + speller_.text(loop.text, Sweep::Forward) + ") {";
    case Statement::LoopForm::DoWhile:
      return "do {";
    case Statement::LoopForm::Forever:
      return "for (;;) {";
  }
  return "";
}

/// Declares what counts and chains the iterations.
void ForwardLoops::declare_counts(const Statement& loop) {
  const std::string& it = loop.inner->name;
  const bool saves = has_residuals(*loop.inner);
  if (loop.count_slot || saves || loop.last_writer) {
    line("std::size_t " + it + "_count = 0;");
  }
  if (loop.count_slot) {
    line(speller_.slot(loop.count_slot, loop.level) + " = 0;");
  }
  if (saves && loop.chained) {
    line(node_type(loop) + "* " + it + "_last = nullptr;");
    line(speller_.slot(loop.nodes_slot, loop.level) + " = nullptr;");
  }
}

/// Counts an iteration and names its residuals.
void ForwardLoops::begin_iteration(const Statement& loop) {
  const std::string& it = loop.inner->name;
  const std::string node = node_type(loop);
  const bool saves = has_residuals(*loop.inner);
  if (saves && loop.chained) {
    line(node + "& " + it + " = *arena.alloc<" + node + ">(1);");
    line(it + ".previous = " + it + "_last;");
    line(it + "_last = &" + it + ";");
    line(speller_.slot(loop.nodes_slot, loop.level) + " = " + it + "_last;");
    line("++" + it + "_count;");
  } else if (saves) {
    line(node + "& " + it + " = " + it + "_nodes[" + it + "_count++];");
  } else if (loop.count_slot || loop.last_writer) {
    line("++" + it + "_count;");
  }
  if (loop.count_slot) {
    line(speller_.slot(loop.count_slot, loop.level) + " = " + it + "_count;");
  }
  if (loop.continue_slot) {
    line(speller_.slot(loop.continue_slot, loop.inner) + " = 0;");
  }
}

void ForwardLoops::forward_loop(Statement& loop) {
  const std::string& it = loop.inner->name;
  if (loop.break_slot) {
    line(speller_.slot(loop.break_slot, loop.level) + " = 0;");
  }
  for (const auto& [stepped, entry] : loop.linear) {
    line(speller_.slot(entry.first, loop.level) + " = " + stepped->name + ";");
  }
  if (loop.last_writer) {
    line("std::size_t " + it + "_latest = 0;");
  }
  const std::string first = begin_loop(loop);
  declare_counts(loop);
  open(first);
  begin_iteration(loop);
  if (loop.increment && loop.uses_goto) {
    open("{");
    forward_.forward_block(*loop.body);
    close();
    line("next_" + it + ":;");
  } else {
    forward_.forward_block(*loop.body);
  }
  if (loop.increment) {
    forward_.forward_block(*loop.increment);
  }
  close(loop.form == Statement::LoopForm::DoWhile
            ? "} while (" + speller_.text(loop.text, Sweep::Forward) + ");"
            : "}");
  if (loop.last_writer) {
    line(speller_.slot(loop.last_writer->last_slot, loop.level) + " = " + it + "_latest;");
  }
}

}  // namespace ddx::compiler
