#include "ddx/ad/detail/choice_declaration.h"

#include "ddx/ad/tangent.h"

#include <concepts>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace choice_declaration_test {

TEST(ChoiceTangent, HasAPlaceForEachAlternative) {
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::optional<double>>, std::tuple<double>>));
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::variant<int, float, std::vector<double>>>,
                            std::tuple<ddx::NoTangent, float, std::vector<double>>>));
}

TEST(ChoiceTangent, IsNoneWhereNoAlternativeHasOne) {
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::optional<int>>, ddx::NoTangent>));
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::variant<int, std::string>>, ddx::NoTangent>));
}

}  // namespace choice_declaration_test
