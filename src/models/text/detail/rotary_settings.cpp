#include "models/text/detail/rotary_settings.h"

#include "ddx/core/error.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/nn/attention/rotary_embedding.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace ddx::models::detail {
namespace {

using Kind = nn::RotaryScaling::Kind;

/// What vectors grow by in YaRN; 0: by what the factor says.
double yarn_magnitude(const ModelConfiguration& object, double factor) {
  if (object.has("attention_factor")) {
    return object.real("attention_factor");
  }
  const double all = object.real("mscale_all_dim", 0);
  const double some = object.real("mscale", 0);
  if (all == 0 || some == 0 || factor <= 1) {
    return 0;
  }
  constexpr double growth = 0.1;
  const double logarithm = growth * std::log(factor);
  return (1 + some * logarithm) / (1 + all * logarithm);
}

nn::RotaryScaling yarn_from(const ModelConfiguration& object, std::int64_t context) {
  nn::RotaryScaling result{
      .kind = Kind::Yarn,
      .original_places = object.integer("original_max_position_embeddings", context)};
  result.factor = object.real(
      "factor", static_cast<double>(context) / static_cast<double>(result.original_places));
  result.fast_turns = object.real("beta_fast", result.fast_turns);
  result.slow_turns = object.real("beta_slow", result.slow_turns);
  result.whole_pairs = object.boolean("truncate", true);
  result.magnitude = yarn_magnitude(object, result.factor);
  return result;
}

}  // namespace

nn::RotaryOptions rotary_from(const ModelConfiguration& object, double base, std::int64_t context) {
  nn::RotaryOptions options{.base = object.real("rope_theta", base)};
  const char* const key = object.has("rope_type") ? "rope_type" : "type";
  const std::string type = object.text(key, "default");
  if (type == "linear") {
    options.scaling = {.kind = Kind::Linear, .factor = object.real("factor")};
  } else if (type == "llama3") {
    options.scaling = {
        .kind = Kind::Llama3,
        .factor = object.real("factor"),
        .low_frequency = object.real("low_freq_factor"),
        .high_frequency = object.real("high_freq_factor"),
        .original_places = object.integer("original_max_position_embeddings", context)};
  } else if (type == "yarn") {
    options.scaling = yarn_from(object, context);
  } else if (type != "default") {
    object.refuse(key, "\"default\", \"linear\", \"llama3\", \"yarn\"");
  }
  return options;
}

nlohmann::ordered_json rotary_settings(const nn::RotaryOptions& rotary) {
  const nn::RotaryScaling& scaling = rotary.scaling;
  switch (scaling.kind) {
    case Kind::None:
      return {{"rope_type", "default"}};
    case Kind::Linear:
      return {{"rope_type", "linear"}, {"factor", scaling.factor}};
    case Kind::Yarn: {
      nlohmann::ordered_json result{{"rope_type", "yarn"},
                                    {"factor", scaling.factor},
                                    {"original_max_position_embeddings", scaling.original_places},
                                    {"beta_fast", scaling.fast_turns},
                                    {"beta_slow", scaling.slow_turns},
                                    {"truncate", scaling.whole_pairs}};
      if (scaling.magnitude != 0) {
        result["attention_factor"] = scaling.magnitude;
      }
      return result;
    }
    case Kind::Listed:
      throw UsageError("save_pretrained",
                       "a configuration has no setting for listed factors of rotations");
    case Kind::Llama3:
      break;
  }
  return {{"rope_type", "llama3"},
          {"factor", scaling.factor},
          {"low_freq_factor", scaling.low_frequency},
          {"high_freq_factor", scaling.high_frequency},
          {"original_max_position_embeddings", scaling.original_places}};
}

nlohmann::ordered_json rotary_parameters(const nn::RotaryOptions& rotary) {
  auto result = rotary_settings(rotary);
  result["rope_theta"] = rotary.base;
  return result;
}

}  // namespace ddx::models::detail
