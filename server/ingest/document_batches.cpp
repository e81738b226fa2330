#include "server/ingest/document_batches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.h"

namespace akin::ingest {

bool FeedReport::only_wordless() const noexcept {
  return read > 0 && unchanged == 0 && invalid[static_cast<std::size_t>(Invalid::no_words)] == read;
}

std::uint64_t FeedReport::all_invalid() const noexcept {
  return std::accumulate(invalid.begin(), invalid.end(), std::uint64_t{0});
}

DocumentBatches::DocumentBatches(const std::vector<InputFile>& files, Reading reading, Validity wanted,
                                 LeftOut left_out)
    : files_(files),
      feed_(files, std::move(reading), [this](Error error) { report_.refused.push_back(std::move(error)); }),
      wanted_(std::move(wanted)),
      left_out_(std::move(left_out)) {}

Result<std::vector<OwnedDocument>> DocumentBatches::next(std::uint64_t bytes) {
  for (;;) {
    std::vector<OwnedDocument> batch = read(bytes);
    if (batch.empty()) return batch;
    report_.read += batch.size();
    AKIN_CHECK(leave_out_invalid(batch));
    if (!batch.empty()) return batch;
  }
}

std::vector<OwnedDocument> DocumentBatches::read(std::uint64_t bytes) {
  std::vector<OwnedDocument> batch;
  for (std::uint64_t have = 0; batch.empty() || have + feed_.bytes_ahead() < bytes;) {
    std::optional<OwnedDocument> document = feed_.next();
    if (!document) break;
    have += std::max<std::uint64_t>(document->text.size(), 1);
    if (document->original) have += document->original->bytes.size();
    batch.push_back(*std::move(document));
  }
  return batch;
}

Result<void> DocumentBatches::leave_out_invalid(std::vector<OwnedDocument>& batch) {
  std::vector<Result<std::optional<NotValid>>> found(batch.size(), std::optional<NotValid>());
  const auto test = [&](std::size_t i) { found[i] = find_invalid(batch[i].text, wanted_); };
  if (wanted_.demands_nothing()) {
    for (std::size_t i = 0; i < batch.size(); ++i) test(i);  // the first character of a text decides
  } else {
    for_each_index(batch.size(), test);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    AKIN_CHECK(found[i]);
    if (*found[i]) {
      ++report_.invalid[static_cast<std::size_t>((*found[i])->reason)];
      if ((*found[i])->reason == Invalid::no_words && report_.wordless.size() < kMaxNamed)
        report_.wordless.push_back(document_name(files_, batch[i]));
      if (left_out_) left_out_(batch[i], **found[i]);
      continue;
    }
    if (kept != i) batch[kept] = std::move(batch[i]);
    ++kept;
  }
  batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(kept), batch.end());
  return {};
}

FeedReport DocumentBatches::report() const {
  FeedReport report = report_;
  report.skips = feed_.skips();
  report.unchanged = feed_.unchanged();
  report.hidden = feed_.hidden();
  return report;
}

}  // namespace akin::ingest
