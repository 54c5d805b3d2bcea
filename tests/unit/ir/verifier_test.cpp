#include "ddx/ir/verifier.h"

#include "ddx/core/error.h"
#include "ddx/ir/text.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::ir {
namespace {

struct Wrong {
  const char* node;
  const char* message;
};

TEST(Verifier, RefusesWhatAKernelCouldNotRun) {
  const Wrong wrongs[] = {
      {"f32[2, 3] = add(%0)", "it has another number of operands"},
      {"f32[2, 3], %6: f32[2, 3] = add(%0, %0)", "it has another number of results"},
      {"f32[2, 4] = add(%0, %0)", "result 0 must be f32[2, 3]"},
      {"f32[2, 3] = add(%0, %4)", "operand 1 must be f32[2, 3]"},
      {"f64[2, 3] = neg(%0)", "result 0 must be f32[2, 3]"},
      {"i32[2] = exp(%3)", "it is not defined for this dtype"},
      {"f32[2, 3] = less(%0, %0)", "result 0 must be bool[2, 3]"},
      {"f32[2, 3] = select(%0, %0, %0)", "operand 0 must be bool[2, 3]"},
      {"f32[2, 2] = matmul(%0, %0)", "inner extents 3 and 2 differ"},
      {"f32[2] = sum(%0) {axes = 1}", "result 0 must be f32[3]"},
      {"f32[3] = sum(%0) {axes = 4}", "an axis to reduce does not exist"},
      {"i32[2] = argmax(%0) {axis = 2}", "the axis does not exist"},
      {"f32[7] = reshape(%0)", "the counts of elements differ"},
      {"f32[2, 3] = broadcast_to(%1)", "the operand does not stretch"},
      {"f32[2, 3] = transpose(%0)", "the order is no permutation"},
      {"f32[2, 3] = transpose(%0) {order = [1]}", "result 0 must be f32[3, 2]"},
      {"f32[2, 2] = slice(%0) {step = [1, 2], start = [0, 1]}", "the box reaches beyond"},
      {"f32[2, 1] = slice(%0) {step = [1]}", "a step is not positive"},
      {"f32[9] = pad(%0)", "the ranks differ"},
      {"f32[4, 3] = concatenate(%0, %2)", "extents beside the axis differ"},
      {"f32[2, 3] = gather(%0, %1)", "operand 1 must be i32[4]"},
      {"f32[2, 3] = gather(%0, %3) {axis = 1}", "result 0 must be f32[2, 2]"},
      {"f32[2, 3] = softmax(%0) {axis = 2}", "the axis does not exist"},
      {"f32[2] = softmax_cross_entropy(%0, %1)", "rows"},
      {"f32[2, 3] = cholesky(%0)", "square"},
      {"f32[2, 3], %6: f32[2] = attention(%0, %2, %0)", "are not [batch, queries, depth]"},
      {"f32[2, 3], %6: f32[2] = attention(%0, %0, %4)", "operand 2 must be f32[2, 3]"},
      {"f32[2, 3], %6: f32[3] = attention(%0, %0, %0)", "result 1 must be f32[2]"},
      {"f32[2, 3], %6: f32[2, 3], %7: f32[2, 3] = attention_gradient(%0, %0, %0, %2, %1, %0)",
       "operand 3 must be f32[2, 3]"},
      {"f32[2, 3], %6: f32[2, 3], %7: f32[2, 3] = attention_gradient(%0, %0, %0, %0, %1, %0)",
       "operand 4 must be f32[2]"},
  };
  for (const Wrong& wrong : wrongs) {
    SCOPED_TRACE(wrong.node);
    const Graph graph = parse_graph(std::string("graph(%0: f32[2, 3], %1: f32[4], %2: f32[2, 4], "
                                                "%3: i32[2], %4: f64[2, 3]) { %5: ") +
                                    wrong.node + " return %5 }");
    try {
      verify(graph);
      ADD_FAILURE() << "it was accepted";
    } catch (const InternalError& error) {
      EXPECT_NE(std::string(error.what()).find(wrong.message), std::string::npos) << error.what();
    }
  }
}

TEST(Verifier, AKeyIsNoNumber) {
  const auto scaled = [](const char* kind) {
    return parse_graph(std::string("graph(%0: f32[2]; #0: ") + kind +
                       ") { %1: f32[2] = add_scaled(%0, %0) {scale = #0} return %1 }");
  };
  EXPECT_NO_THROW(verify(scaled("number")));
  EXPECT_THROW(verify(scaled("key")), InternalError);
}

TEST(Verifier, MessagesBeginWithTheNode) {
  try {
    verify(parse_graph("graph(%0: f32[2]) { %1: f32[3] = neg(%0) return %1 }"));
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("verify: '%1: f32[3] = neg(%0)': neg: result 0 must be f32[2]; "
                                 "operands f32[2], results f32[3]"))
        << error.what();
  }
}

}  // namespace
}  // namespace ddx::ir
