#include "ddx/ir/operation.h"

#include "ddx/core/error.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace ddx::ir {
namespace operation_test {

TEST(Operation, IsARowOrAControlOperationAndNeverBoth) {
  std::set<std::uint16_t> codes;
  for (const ops::OpInfo& row : ops::op_table) {
    const Operation operation = row.op;
    EXPECT_FALSE(operation.is_control());
    EXPECT_EQ(operation.row(), row.op);
    EXPECT_EQ(to_string(operation), row.name);
    codes.insert(operation.code());
  }
  for (std::size_t i = 0; i < control_table.size(); ++i) {
    const Operation operation = static_cast<Control>(i);
    EXPECT_TRUE(operation.is_control());
    EXPECT_EQ(operation.control(), static_cast<Control>(i));
    EXPECT_EQ(to_string(operation), control_table[i].name);
    codes.insert(operation.code());
  }
  EXPECT_EQ(codes.size(), ops::op_table.size() + control_table.size());
}

TEST(Operation, NoNameIsThatOfARowToo) {
  for (const ControlInfo& control : control_table) {
    for (const ops::OpInfo& row : ops::op_table) {
      EXPECT_NE(control.name, row.name);
    }
  }
}

TEST(Operation, WhoTakesOneForARowIsTold) {
  try {
    (void)Operation(Control::WhileLoop).row();
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("while_loop: it is no row of ops.def"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace operation_test
}  // namespace ddx::ir
