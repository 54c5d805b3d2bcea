/// \file
/// Chat templates from their text.

#pragma once

#include "data/text/detail/chat/template_syntax.h"

#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// The statements of a template, whose source is as `template_source` gives it. Names of filters,
/// tests and statements that are not supported are faults.
///
/// Throws:  TemplateFault, also where it nests deeper than 100.
/// Source:  Jinja 3.1, parser.py, without imports, inheritance, calls with bodies and recursion.
[[nodiscard]] std::vector<TemplateStatement> parsed_template(std::string_view source);

}  // namespace ddx::data::detail
