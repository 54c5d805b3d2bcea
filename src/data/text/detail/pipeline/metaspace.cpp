#include "data/text/detail/pipeline/metaspace.h"

#include "data/text/detail/pipeline/settings.h"

#include <string>

namespace ddx::data::detail {

Metaspace read_metaspace(const Settings& settings) {
  Metaspace read{.replacement = settings.character("replacement")};
  const bool adds_prefix = settings.boolean("add_prefix_space", true);
  const auto scheme = settings.text("prepend_scheme", adds_prefix ? "always" : "never");
  if (scheme == "always") {
    read.prepend = Metaspace::Prepend::Always;
  } else if (scheme == "first") {
    read.prepend = Metaspace::Prepend::First;
  } else if (scheme == "never") {
    read.prepend = Metaspace::Prepend::Never;
  } else {
    settings.fail_unsupported("prepend_scheme");
  }
  if (!adds_prefix && read.prepend != Metaspace::Prepend::Never) {
    settings.fail("add_prefix_space", "false, where prepend_scheme is " + scheme);
  }
  read.splits = settings.boolean("split", true);
  return read;
}

}  // namespace ddx::data::detail
