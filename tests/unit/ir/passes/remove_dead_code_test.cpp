#include "ddx/ir/passes/remove_dead_code.h"

#include "ddx/ir/text.h"

#include <gtest/gtest.h>

namespace ddx::ir {
namespace remove_dead_code_test {

TEST(RemoveDeadCode, DropsWhatLeadsNowhereAndKeepsParametersAndScalars) {
  const Graph graph = parse_graph(R"(graph(%0: f32[2, 2], %1: f32[2]; #0: number) {
    %2: f32[2] = neg(%1)
    %3: f32[2] = exp(%2)
    %4: f32[2], %5: f32[2, 2] = eigh(%0)
    return %5
  })");
  EXPECT_EQ(to_text(remove_dead_code(graph)),
            "graph(%0: f32[2, 2], %1: f32[2]; #0: number) {\n"
            "  %2: f32[2], %3: f32[2, 2] = eigh(%0)\n"
            "  return %3\n"
            "}\n");
}

TEST(RemoveDeadCode, NothingIsLeftOfAGraphWithoutResults) {
  EXPECT_EQ(to_text(remove_dead_code(parse_graph("graph() { %0: f32[] = full() return }"))),
            "graph() {\n  return \n}\n");
}

TEST(RemoveDeadCode, NodesOfRegionsGoAndTheirParametersStay) {
  EXPECT_EQ(to_text(remove_dead_code(parse_graph(R"(graph(%0: f32[], %1: f32[]) {
    %2: f32[], %3: f32[] = while_loop(%0, %1) {
      condition = graph(%0: f32[], %1: f32[]) {
        %2: f32[] = exp(%1)
        %3: bool[] = full()
        return %3
      },
      body = graph(%0: f32[], %1: f32[]) {
        %2: f32[] = exp(%1)
        return %0, %0
      }
    }
    return %3
  })"))),
            "graph(%0: f32[], %1: f32[]) {\n"
            "  %2: f32[], %3: f32[] = while_loop(%0, %1) {\n"
            "    condition = graph(%0: f32[], %1: f32[]) {\n"
            "      %2: bool[] = full()\n"
            "      return %2\n"
            "    },\n"
            "    body = graph(%0: f32[], %1: f32[]) {\n"
            "      return %0, %0\n"
            "    }\n"
            "  }\n"
            "  return %3\n"
            "}\n");
}

}  // namespace remove_dead_code_test
}  // namespace ddx::ir
