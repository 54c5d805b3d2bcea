#include "compiler/plugin/options.h"

#include "compiler/diagnostics/diagnostics.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

#include <memory>

namespace ddx::compiler {
namespace {

std::optional<Stage> stage_named(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Stage>>(name)
      .Case("request", Stage::Request)
      .Case("shapes", Stage::Shapes)
      .Case("lower", Stage::Lower)
      .Case("activity", Stage::Activity)
      .Case("residuals", Stage::Residuals)
      .Case("derivatives", Stage::Derivatives)
      .Default(std::nullopt);
}

std::optional<Promotion> promotion_named(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Promotion>>(name)
      .Case("auto", Promotion::Auto)
      .Case("all", Promotion::All)
      .Case("none", Promotion::None)
      .Default(std::nullopt);
}

std::optional<shapes::Severity> severity_named(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<shapes::Severity>>(name)
      .Case("off", shapes::Severity::Off)
      .Case("warn", shapes::Severity::Warning)
      .Case("error", shapes::Severity::Error)
      .Default(std::nullopt);
}

}  // namespace

std::optional<Options> parse_options(const std::vector<std::string>& arguments,
                                     clang::DiagnosticsEngine& diagnostics) {
  Options options;
  for (llvm::StringRef argument : arguments) {
    if (argument.consume_front("save-derivatives=") && !argument.empty()) {
      options.save_folder = argument.str();
    } else if (argument.consume_front("print-")) {
      const std::optional<Stage> stage = stage_named(argument);
      if (!stage) {
        report(diagnostics, Diagnostic::UnknownStage, {}) << argument;
        return std::nullopt;
      }
      options.pipeline.printed.push_back(*stage);
    } else if (argument == "time-stages") {
      options.pipeline.times = std::make_shared<StageTimes>();
    } else if (argument == "explain") {
      options.pipeline.explains = true;
    } else if (argument.consume_front("shapes-steps=") &&
               !argument.getAsInteger(10, options.shapes.steps)) {
      continue;
    } else if (argument.consume_front("shapes=")) {
      const std::optional<shapes::Severity> severity = severity_named(argument);
      if (!severity) {
        report(diagnostics, Diagnostic::UnknownShapes, {}) << argument;
        return std::nullopt;
      }
      options.shapes.severity = *severity;
    } else if (argument.consume_front("promote=")) {
      const std::optional<Promotion> promotion = promotion_named(argument);
      if (!promotion) {
        report(diagnostics, Diagnostic::UnknownPromotion, {}) << argument;
        return std::nullopt;
      }
      options.pipeline.promotion = *promotion;
    } else {
      report(diagnostics, Diagnostic::UnknownOption, {}) << argument;
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace ddx::compiler
