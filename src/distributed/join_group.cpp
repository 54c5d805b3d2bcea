#include "ddx/distributed/join_group.h"

#include "ddx/core/error.h"
#include "ddx/distributed/process_group.h"

#include "distributed/host_collective.h"
#include "distributed/launcher.h"
#include "distributed/mpi/transport.h"
#include "distributed/transport.h"

#include <memory>
#include <utility>

namespace ddx::distributed {

ProcessGroup join_group(const JoinOptions& options) {
  if (options.timeout.count() <= 0) {
    throw UsageError("join_group",
                     "the timeout is " + text_of(options.timeout) + ", must be positive");
  }
  switch (options.launcher) {
    case JoinOptions::Launcher::None:
      return {};
    case JoinOptions::Launcher::Detect:
      if (!is_launched_by_mpi()) {
        return {};
      }
      break;
    case JoinOptions::Launcher::Mpi:
      break;
  }
  auto transport = mpi::join(options.library, options.timeout);
  return ProcessGroup(std::make_shared<HostCollective>(std::move(transport), options.timeout));
}

}  // namespace ddx::distributed
