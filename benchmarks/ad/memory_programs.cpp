#include "programs/memory_programs.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem memory_stencil_problem(int count, int steps) {
  return problem_of(memory_case(AllocatedStencil{steps}, count));
}

Problem memory_list_problem(int count) {
  return problem_of(memory_case(LinkedList{}, count));
}

Problem memory_tree_problem(int count) {
  return problem_of(memory_case(BinaryTree{}, count));
}

Problem memory_rows_problem(int count) {
  return problem_of(memory_case(CompressedRows{}, count));
}

Problem memory_matrix_problem(int rows) {
  return problem_of(memory_case(PointerMatrix{rows}, rows * rows));
}

}  // namespace ddx::bench
