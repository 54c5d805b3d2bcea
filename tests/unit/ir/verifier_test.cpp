#include "ddx/ir/verifier.h"

#include "ddx/core/error.h"
#include "ddx/ir/text.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::ir {
namespace verifier_test {

void expect_refused(const Graph& graph, const char* message) {
  try {
    verify(graph);
    ADD_FAILURE() << "it was accepted";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

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
      {"f32[2, 3] = slice(%0) {step = [9223372036854775807, 1], start = [1]}",
       "1 + 9223372036854775807 does not fit in 64 bits"},
      {"f32[9] = pad(%0)", "the ranks differ"},
      {"f32[2, 3] = pad(%0) {step = [9223372036854775807, 1], low = [1]}",
       "1 + 9223372036854775807 does not fit in 64 bits"},
      {"f32[2, 3] = pad(%0) {step = [1, 1], low = [-9223372036854775807]}",
       "the padding is larger than any shape"},
      {"f32[4, 3] = concatenate(%0, %2)", "extents beside the axis differ"},
      {"f32[2, 3] = gather(%0, %1)", "operand 1 must be i32[4]"},
      {"f32[2, 3] = gather(%0, %3) {axis = 1}", "result 0 must be f32[2, 2]"},
      {"f32[2, 3] = update_at(%0, %2, %3) {axis = 1}", "the update is longer"},
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
      {"f32[2, 3], %6: f32[2], %7: f32[2, 3], %8: f32[2]"
       " = attention_with_tangent(%0, %0, %0, %0, %2, %0)",
       "operand 4 must be f32[2, 3]"},
      {"f32[2, 3], %6: f32[2], %7: f32[2, 3], %8: f32[3]"
       " = attention_with_tangent(%0, %0, %0, %0, %0, %0)",
       "result 3 must be f32[2]"},
      {"f32[2, 3], %6: f32[2, 3], %7: f32[2, 3], %8: f32[2, 3], %9: f32[2, 3], %10: f32[2, 3]"
       " = attention_with_tangent_gradient(%0, %0, %0, %0, %0, %0, %0, %1, %0, %1, %0, %0)",
       "operand 7 must be f32[2]"},
  };
  for (const Wrong& wrong : wrongs) {
    SCOPED_TRACE(wrong.node);
    const Graph graph = parse_graph(std::string("graph(%0: f32[2, 3], %1: f32[4], %2: f32[2, 4], "
                                                "%3: i32[2], %4: f64[2, 3]) { %5: ") +
                                    wrong.node + " return %5 }");
    expect_refused(graph, wrong.message);
  }
}

TEST(Verifier, LogSumsOfAttentionIn16BitsAreOfF32) {
  const auto attention = [](const char* sums) {
    return parse_graph(std::string("graph(%0: f16[2, 3]) { %1: f16[2, 3], %2: ") + sums +
                       " = attention(%0, %0, %0)"
                       " %3: f16[2, 3], %4: f16[2, 3], %5: f16[2, 3] ="
                       " attention_gradient(%0, %0, %0, %1, %2, %0) return %1, %3 }");
  };
  EXPECT_NO_THROW(verify(attention("f32[2]")));
  expect_refused(attention("f16[2]"), "result 1 must be f32[2]");
}

TEST(Verifier, AKeyIsNoNumber) {
  const auto scaled = [](const char* kind) {
    return parse_graph(std::string("graph(%0: f32[2]; #0: ") + kind +
                       ") { %1: f32[2] = add_scaled(%0, %0) {scale = #0} return %1 }");
  };
  EXPECT_NO_THROW(verify(scaled("number")));
  EXPECT_THROW(verify(scaled("key")), InternalError);
}

TEST(Verifier, RefusesRegionsThatDoNotFit) {
  const Wrong wrongs[] = {
      {"f32[2] = cond(%1, %0) {then = graph(%0: f32[2]) { return %0 },"
       " else = graph(%0: f32[2]) { return %0 }}",
       "cond: operand 0 is f32[], not bool[]"},
      {"f32[2] = cond() {then = graph() { return }, else = graph() { return }}",
       "it has 0 operands, fewer than 1"},
      {"f32[2] = cond(%3, %0) {then = graph(%0: f32[2]) { return %0 },"
       " else = graph() { return }}",
       "the else takes 0 values, not 1"},
      {"f32[2] = cond(%3, %0) {then = graph(%0: f32[2]) { return %0 },"
       " else = graph(%0: f32[2]) { return }}",
       "the else returns 0 values, not 1"},
      {"f32[] = cond(%3, %0) {then = graph(%0: f32[2]) { return %0 },"
       " else = graph(%0: f32[2]) { return %0 }}",
       "the then returns f32[2] for result 0, not f32[]"},
      {"f32[] = while_loop(%0) {condition = graph(%0: f32[2]) { return %0 },"
       " body = graph(%0: f32[2]) { return %0 }}",
       "result 0 is f32[], not f32[2] as the carry before the loop"},
      {"f32[2], %6: f32[] = while_loop(%0) {condition = graph(%0: f32[2]) { return %0 },"
       " body = graph(%0: f32[2]) { return %0 }}",
       "it has 1 operands, fewer than 2"},
      {"f32[2] = while_loop(%0) {condition = graph(%0: f32[2]) { return %0 },"
       " body = graph(%0: f32[2]) { return %0 }}",
       "the condition returns f32[2] for result 0, not bool[]"},
      {"f32[2] = while_loop(%0, %3) {condition = graph(%0: f32[2], %1: bool[]) { return %1 },"
       " body = graph(%0: f32[2]) { return %0 }}",
       "the body takes 1 values, not 2"},
      {"f32[2] = while_loop(%0, %3) {condition = graph(%0: f32[2], %1: bool[]) { return %1 },"
       " body = graph(%0: f32[2], %1: bool[]) { return %1 }}",
       "the body returns bool[] for result 0, not f32[2]"},
      {"f32[] = scan(%1) {carries = 1, slices = 1, trips = 2, body = graph() { return }}",
       "it has 1 operands, fewer than 2"},
      {"f32[] = scan(%1) {carries = 1, trips = -2, body = graph() { return }}",
       "the body is to run -2 times"},
      {"f32[] = scan(%1, %1) {carries = 2, body = graph() { return }}",
       "it has 1 results, fewer than 2 carries"},
      {"f32[] = scan(%1, %0) {carries = 1, slices = 1, trips = 3, body = graph() { return }}",
       "the slices of operand 1, which is f32[2], are not 3"},
      {"f32[] = scan(%1, %1) {carries = 1, slices = 1, trips = 3, body = graph() { return }}",
       "the slices of operand 1, which is f32[], are not 3"},
      {"f32[2] = scan(%1) {carries = 1, trips = 2, body = graph() { return }}",
       "result 0 is f32[2], not f32[] as the carry"},
      {"f32[3] = scan(%0) {slices = 1, trips = 2, body = graph(%0: f32[]) { return %0 }}",
       "result 0, which is f32[3], is no stack of 2"},
      {"f32[2] = scan(%0) {slices = 1, trips = 2, body = graph(%0: f32[2]) { return %0 }}",
       "the body takes f32[2] for parameter 0, not f32[]"},
      {"f32[2] = scan(%4) {slices = 1, trips = 2, body = graph(%0: i32[]) { return %0 }}",
       "the body returns i32[] for result 0, not f32[]"},
      {"f32[2] = scan(%0; #0) {slices = 1, trips = 2, body = graph(%0: f32[]) { return %0 }}",
       "the body has 0 scalars and 0 checks, given are 1 scalars and 0 checks"},
      {"f32[2] = scan(%0; !0) {slices = 1, trips = 2, body = graph(%0: f32[]) { return %0 }}",
       "the body has 0 scalars and 0 checks, given are 0 scalars and 1 checks"},
      {"f32[2] = scan(%0; #0) {slices = 1, trips = 2,"
       " body = graph(%0: f32[]; #0: key) { return %0 }}",
       "scalar #0 is no key, as #0 of the body is"},
      {"f32[2] = scan(%0) {slices = 1, trips = 2,"
       " body = graph(%0: f32[]) { %1: f32[3] = neg(%0) return %1 }}",
       "'%1: f32[3] = neg(%0)': neg: result 0 must be f32[]"},
  };
  for (const Wrong& wrong : wrongs) {
    SCOPED_TRACE(wrong.node);
    const Graph graph =
        parse_graph(std::string("graph(%0: f32[2], %1: f32[], %2: f64[2], %3: bool[], %4: i32[2];"
                                " #0: number; checks 1) { %5: ") +
                    wrong.node + " return %5 }");
    expect_refused(graph, wrong.message);
  }
}

TEST(Verifier, AcceptsRegionsThatFit) {
  EXPECT_NO_THROW(verify(parse_graph(R"(
    graph(%0: f32[], %1: f32[0, 3], %2: i32[]; #0: key; checks 1) {
      %3: f32[], %4: f32[0, 3] = scan(%0, %1, %2; #0; !0) {carries = 1, slices = 1,
        body = graph(%0: f32[], %1: f32[3], %2: i32[]; #0: key; checks 1) {
          %3: f32[3] = add(%1, %0)
          return %0, %3
        }
      }
      %5: f32[] = while_loop(%3, %2) {
        condition = graph(%0: f32[], %1: i32[]) {
          %2: bool[] = full() {value = 0i}
          return %2
        },
        body = graph(%0: f32[], %1: i32[]) {
          %2: f32[] = exp(%0)
          return %2
        }
      }
      return %5, %4
    })")));
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

}  // namespace verifier_test
}  // namespace ddx::ir
