// The flags of `akin serve` that concern watches.
#pragma once

#include <cstdint>
#include <memory>

#include "base/error.h"
#include "cli/frame/command.h"
#include "index/collection/catalog.h"
#include "server/state/state.h"
#include "server/watch/watches.h"

namespace akin::cli {

struct WatchOptions {
  watch::Options watch;
  unsigned event_days = 30;
};

/// `options` must live as long as the command.
void add_watch_options(Command command, WatchOptions& options);

/// Opens the watches stored in the state and starts them.
[[nodiscard]] Result<std::shared_ptr<watch::Watches>> open_watches(const WatchOptions& options,
                                                                   std::shared_ptr<state::State> state,
                                                                   std::shared_ptr<Catalog> catalog);

}  // namespace akin::cli
