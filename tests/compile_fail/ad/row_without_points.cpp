// error: implicit instantiation of undefined template
// 'ddx::testing::ScalarRow<RowName<5>{"sinc"}, 1>'
#include "tests/unit/ad/scalar_rules.h"

#ifdef DDX_OFFENDING
constexpr ddx::testing::RowName<5> name = "sinc";
#else
constexpr ddx::testing::RowName<4> name = "sin";
#endif

double value() {
  return ddx::testing::rule<ddx::testing::ScalarRow<name, 1>>("a new row", 1)
      .in_double.value(1, 0, 0);
}
