#include "compiler/shapes/classes.h"
#include "compiler/shapes/natives.h"
#include "compiler/shapes/rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace ddx::compiler::shapes {
namespace {

using Result = std::optional<const Value*>;

/// The characters that an argument points to; a fallback where they are not known.
std::string text_at(Interpreter& in, const Call& call, unsigned index, llvm::StringRef fallback) {
  Place place = place_of(*argument(in, call, index));
  place.path.clear();
  const Value* text = in.state().load(place);
  return (text->kind == Kind::Text ? text->name : fallback).str();
}

/// A function of the library that throws that shapes do not fit.
Result throws(Interpreter& in, const Call& call) {
  std::string facts;
  Values shapes;
  for (unsigned i = 1; i < call.arguments.size(); ++i) {
    const Value* value = argument(in, call, i);
    if (value->is_list() || value->is_tensor()) {
      facts += (facts.empty() ? "" : " and ") + shape_text(*value);
      shapes.push_back(value);
    }
  }
  if (shapes.empty()) {
    return std::nullopt;
  }
  Operation op(in.arena(), text_at(in, call, 0, call.function->getName()));
  const char* const words = shapes.size() == 1 ? "shape " : "shapes ";
  (void)op.fail(words + facts + (shapes.size() == 1 ? " does not fit" : " do not fit together"),
                shapes);
  op.finish(in, call);
  return in.arena().unknown(true);
}

/// nn::detail::require_labels(loss, labels, rows): one label for each row.
Result require_labels(Interpreter& in, const Call& call) {
  Operation op(in.arena(), text_at(in, call, 0, "loss"));
  const Value* labels = argument(in, call, 1);
  const Value* rows = as_list(in.arena(), argument(in, call, 2));
  const bool wrong_rank = labels->is_tensor() && labels->parts.size() != 1;
  const bool other_count = labels->is_tensor() && !wrong_rank && rows->is_list() &&
                           !rows->parts.empty() &&
                           differ(*labels->parts.front(), *rows->parts.front());
  if (wrong_rank || other_count) {
    (void)op.fail("labels have shape " + shape_text(*labels) + ", one for each row of " +
                      shape_text(*rows) + " is required",
                  {labels, rows},
                  wrong_rank ? Values() : Values{labels->parts.front(), rows->parts.front()});
  }
  op.finish(in, call);
  return in.arena().unknown(false);
}

/// nn::detail::feature_axis(layer, x, features): the last axis is the features.
Result feature_axis(Interpreter& in, const Call& call) {
  Operation op(in.arena(), text_at(in, call, 0, "layer"));
  const Value* x = as_list(in.arena(), argument(in, call, 1));
  const Value* features = argument(in, call, 2);
  const bool is_wrong = x->is_list() && (x->parts.empty() || differ(*x->parts.back(), *features));
  if (is_wrong) {
    (void)op.fail(
        "the last axis is not the " + extent_text(*features) + " features; shape " + shape_text(*x),
        {x}, x->parts.empty() ? Values() : Values{x->parts.back(), features});
  }
  op.finish(in, call);
  return in.arena().list({in.arena().number(-1)});
}

/// nn::detail::places(layer, x): the axes between the samples and the channels.
Result places(Interpreter& in, const Call& call) {
  Operation op(in.arena(), text_at(in, call, 0, "layer"));
  const Value* x = as_list(in.arena(), argument(in, call, 1));
  if (!x->is_list()) {
    return std::nullopt;
  }
  if (x->parts.size() < 3) {
    (void)op.fail("there is no axis between the samples and the channels; shape " + shape_text(*x),
                  {x});
  }
  op.finish(in, call);
  Values axes;
  for (std::size_t axis = 1; axis + 1 < x->parts.size(); ++axis) {
    axes.push_back(in.arena().number(static_cast<std::int64_t>(axis)));
  }
  return in.arena().list(axes);
}

/// nn::detail::with_samples(layer, x, extents): the samples of x in another shape.
Result with_samples(Interpreter& in, const Call& call) {
  const Value* x = as_list(in.arena(), argument(in, call, 1));
  const Value* extents = as_list(in.arena(), argument(in, call, 2));
  if (!extents->is_list() || (x->is_list() && x->parts.empty())) {
    return std::nullopt;
  }
  Values all{x->is_list() ? x->parts.front() : in.arena().unknown(true)};
  all.append(extents->parts.begin(), extents->parts.end());
  return in.arena().list(all);
}

/// nn::detail::scores_shape(query, key, value).
Result scores(Interpreter& in, const Call& call) {
  Operation op(in.arena(), "scaled_dot_product_attention");
  const auto tensor = [&](unsigned index) { return of_shape(op, argument(in, call, index)); };
  const Value* query = tensor(0);
  const Value* key = tensor(1);
  (void)attention(op, query, key, tensor(2));
  op.finish(in, call);
  if (!query->is_tensor() || !key->is_tensor() || query->parts.size() < 2 ||
      key->parts.size() < 2) {
    return in.arena().unknown(true);
  }
  return as_list(in.arena(),
                 in.arena().with_part(query, static_cast<unsigned>(query->parts.size()) - 1,
                                      key->parts[key->parts.size() - 2]));
}

}  // namespace

Native layer_check(const clang::FunctionDecl& function, llvm::StringRef name) {
  if (function.isNoReturn() && name.starts_with("throw_") && function.getNumParams() > 1) {
    return throws;
  }
  return llvm::StringSwitch<Native>(name)
      .Case("require_labels", require_labels)
      .Case("feature_axis", feature_axis)
      .Case("places", places)
      .Case("with_samples", with_samples)
      .Case("scores_shape", scores)
      .Default(nullptr);
}

}  // namespace ddx::compiler::shapes
