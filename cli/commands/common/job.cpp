#include "cli/commands/common/job.h"

#include <algorithm>

#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "cli/frame/stop_signal.h"

namespace akin::cli {

namespace {

double share(const JobProgress& now) {
  const bool documents = now.documents_total > 0;
  const std::uint64_t total = documents ? now.documents_total : now.bytes_total;
  const std::uint64_t done = documents ? now.documents_done : now.bytes_done;
  return total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
}

std::string detail(const JobProgress& now) {
  std::string text(now.phase);
  if (now.documents_total > 0)
    text += ", " + grouped(now.documents_done) + " of " + counted(now.documents_total, "document");
  return text;
}

}  // namespace

Result<void> run_job(std::string_view verb, const std::function<Result<void>(const JobControl&)>& job,
                     JobProgress* last) {
  const StopTokenOnSignal signals;
  ProgressLine line(verb);
  JobControl control;
  control.stop = signals.token();
  control.progress = [&](const JobProgress& now) {
    if (last != nullptr) *last = now;
    line.update(share(now), now.bytes_done, detail(now));
  };
  return job(control);
}

}  // namespace akin::cli
