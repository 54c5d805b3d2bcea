#include "models/pretrained/detail/activation_names.h"

#include "ddx/core/error.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/nn/activation.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace ddx::models::detail {
namespace {

using nn::Activation;

/// The first name of each is the one that is written.
constexpr std::array activation_names{std::pair{"silu", Activation::SiLU},
                                      std::pair{"swish", Activation::SiLU},
                                      std::pair{"gelu", Activation::GELU},
                                      std::pair{"gelu_pytorch_tanh", Activation::GELUTanh},
                                      std::pair{"gelu_new", Activation::GELUTanh},
                                      std::pair{"relu", Activation::ReLU},
                                      std::pair{"relu6", Activation::ReLU6},
                                      std::pair{"tanh", Activation::Tanh},
                                      std::pair{"sigmoid", Activation::Sigmoid},
                                      std::pair{"mish", Activation::Mish},
                                      std::pair{"linear", Activation::Identity}};

}  // namespace

Activation activation_from(const ModelConfiguration& configuration, std::string_view key,
                           Activation otherwise) {
  if (!configuration.has(key)) {
    return otherwise;
  }
  const std::string name = configuration.text(key);
  std::string supported;
  for (const auto& [known, activation] : activation_names) {
    if (name == known) {
      return activation;
    }
    supported += (supported.empty() ? "" : ", ") + std::string(known);
  }
  configuration.refuse(key, supported);
}

std::string activation_name(Activation activation) {
  for (const auto& [name, known] : activation_names) {
    if (known == activation) {
      return name;
    }
  }
  throw UsageError("save_pretrained", "activation number " +
                                          std::to_string(static_cast<int>(activation)) +
                                          " has no name in config.json");
}

}  // namespace ddx::models::detail
