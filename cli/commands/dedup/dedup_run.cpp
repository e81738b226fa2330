#include "cli/commands/dedup/dedup_run.h"

#include <malloc.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "base/parallel.h"
#include "cli/commands/pairs/pairs_file.h"
#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "cli/frame/stop_signal.h"
#include "index/collection/bulk.h"
#include "index/search/tier_search.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;

/// A candidate for alignment has this part of the share that is wanted, by the seeds of passages or by pairs
/// of sentences. Few seeds survive many scattered changes; a text of forty words has a dozen.
constexpr double kNominatingPart = 0.1;
/// The part of the memory in which texts are read: small batches, since the index lives only as long as a
/// run.
constexpr std::uint64_t kLoadPart = 64;
/// The most of it: larger batches keep more pages of the index in memory until they are written.
constexpr std::uint64_t kMostLoadBytes = std::uint64_t{1} << 20U;
/// That in which words of texts are remembered, and that for kept texts with common text.
constexpr std::uint64_t kWordsPart = 16, kCommonPart = 4;
/// Pages of the index that are read before all leave the process: one fault maps up to sixteen, so they are
/// 64 MB at most.
constexpr std::uint64_t kHeldPages = 1024;
/// Bytes for each text without which pairs are not found, beside the memory.
constexpr std::uint64_t kPairsBytes = 256;
/// That for the candidates of a round.
constexpr std::uint64_t kCandidatesPart = 2;

Result<void> unless_stopped() {
  if (!StopOnSignal::asked()) return {};
  return Error{Errc::unsupported, "dedup", "stopped by a signal",
               "run it again; with --scratch and --resume it continues"};
}

PairCondition condition_of(const dedup::Condition& condition, double part) {
  const double least = part * condition.least;
  if (condition.measure == dedup::Measure::containment || part < 1.0) return {.min_containment = least};
  return {.min_resemblance = least};
}

/// The share by which one document of a pair covers the other.
double share_of(const DocumentPair& pair, bool covers_b, dedup::Measure measure) {
  if (measure == dedup::Measure::resemblance) return pair.overlap.resemblance();
  return covers_b ? pair.overlap.contained() : pair.overlap.containment();
}

/// Calls visit(record) for all texts of the index.
template <class Visit>
Result<void> for_each_text(const Snapshot& snapshot, const Visit& visit) {
  constexpr std::size_t kListed = 10'000;
  for (std::string after;;) {
    AKIN_TRY(const auto page, snapshot.list(after, kListed));
    if (page.empty()) return {};
    for (const StoredDocument& record : page) visit(record);
    after = page.back().id;
  }
}

}  // namespace

Result<DedupRun> DedupRun::open(const CommonOptions& options, const fs::path& folder, bool is_resumed,
                                std::uint64_t memory, std::stop_token stop) {
  // Each arena keeps what its threads have freed, and they free what others have allocated.
  ::mallopt(M_ARENA_MAX, static_cast<int>(std::max(1U, thread_count(0) / 2)));
  CommonOptions own = options;
  own.data = folder / "index";
  own.collection = "dedup";
  own.store.clear();
  own.store_of.clear();
  own.catalog.held_pages = kHeldPages;
  AKIN_TRY(OpenCollection index, open_or_create_collection(own, {}));
  std::vector<bool> is_indexed;
  if (is_resumed) {
    AKIN_TRY(const auto snapshot, index->snapshot());
    AKIN_CHECK(for_each_text(*snapshot, [&](const StoredDocument& record) {
      const dedup::TextNumber text = dedup::text_of_id(record.id);
      is_indexed.resize(std::size_t{text} + 1);
      is_indexed[text] = true;
    }));
  }
  DedupRun run(std::move(index), std::move(own), folder, memory, std::move(stop));
  run.is_indexed_ = std::move(is_indexed);
  return run;
}

Result<std::vector<OwnedDocument>> DedupRun::read_some(dedup::Input& input, std::uint64_t bytes) {
  std::vector<OwnedDocument> batch;
  for (std::uint64_t have = 0; batch.empty() || have < bytes;) {
    AKIN_CHECK(unless_stopped());
    AKIN_TRY(std::optional<dedup::CorpusDocument> document, input.next());
    if (!document) break;
    if (corpus_.size() == dedup::Corpus::kMost) {
      return Error{Errc::too_large, "input", "has more than " + grouped(dedup::Corpus::kMost) + " documents",
                   "split it, and give the first part to --against"};
    }
    if (!corpus_.add(*document)) continue;
    OwnedDocument text;
    text.id = dedup::index_id(corpus_.texts() - 1);
    if (const std::size_t number = corpus_.texts() - 1; number < is_indexed_.size() && is_indexed_[number])
      continue;
    text.text = std::move(document->text);
    have += text.text.size();
    batch.push_back(std::move(text));
  }
  return batch;
}

Result<void> DedupRun::load(dedup::Input& input) {
  ProgressLine line("reading");
  BulkOptions options;
  options.memory = std::max(memory_ / kLoadPart, kLeastBulkMemory);
  options.stop = &StopOnSignal::asked();
  std::vector<std::pair<dedup::TextNumber, Error>> refused;  // named when no thread adds documents any more
  options.refused = [&](const OwnedDocument& document, const Error& error) {
    refused.emplace_back(dedup::text_of_id(document.id), error);
  };
  options.progress = [&](std::uint64_t documents, std::uint64_t bytes) {
    line.update(input.share_read(), bytes, counted(documents, "different text"));
  };
  BulkResult result;
  AKIN_CHECK(bulk_load(
      *index_.collection,
      [&](std::uint64_t bytes) { return read_some(input, std::min(bytes, kMostLoadBytes)); }, options,
      result));
  for (auto& [text, error] : refused) {
    error.what = std::string(corpus_.id(corpus_.best_of(text))) + ": " + error.what;
    refused_.push_back(std::move(error));
  }
  return unless_stopped();
}

Result<void> DedupRun::find_candidates(const Snapshot& snapshot, std::optional<std::size_t> tier,
                                       const dedup::Condition& condition, dedup::CommonTexts* common,
                                       const fs::path& file) {
  fs::path progress_file = file;
  progress_file += ".progress";
  std::error_code failure;
  const bool is_found = fs::exists(file, failure) && !fs::exists(progress_file, failure);
  if (is_found && common == nullptr) return {};
  PairsRequest request;
  request.condition = condition_of(condition, common != nullptr ? kNominatingPart : 1.0);
  request.tier = tier;
  request.memory = memory_ + corpus_.texts() * kPairsBytes;
  request.stop = stop_;
  std::vector<dedup::TextSize> texts;  // by their numbers in the index
  if (common != nullptr) {
    AKIN_CHECK(for_each_text(snapshot, [&](const StoredDocument& record) {
      texts.resize(std::max(texts.size(), record.number + 1));
      texts[record.number] = {dedup::text_of_id(record.id),
                              static_cast<std::uint32_t>(record.features_in(*tier).value_or(0))};
    }));
    request.common_limit = dedup::kCommonLimit;
    request.left_out = [&](std::span<const DocNumber> documents) {
      std::vector<dedup::TextSize> having;
      for (const DocNumber document : documents)
        having.push_back(texts[static_cast<std::uint32_t>(document)]);
      common->add_feature(*tier, having);
    };
  }
  if (is_found) {  // all but the common text
    request.first = std::numeric_limits<std::uint32_t>::max();
    AKIN_CHECK(snapshot.pairs(request, [](const DocumentPair&) -> Result<void> { return {}; }));
    return unless_stopped();
  }
  AKIN_TRY(const auto out, PairsFile::open(file, json::Json{{"candidates", file.filename().string()}}));
  ProgressLine line("comparing");
  std::uint64_t candidates = out->position().pairs;
  request.first = out->position().next;
  request.reached = [&](std::uint32_t next) { return out->reached(next, candidates); };
  request.progress = [&](const PairsProgress& now) {
    line.update(now.share, 0, counted(candidates, "candidate"));
    (void)out->save_if_due();  // a failure occurs again, and is reported, when the next number is reached
  };
  const bool is_contained = condition.measure == dedup::Measure::containment;
  AKIN_TRY(const PairsSummary summary, snapshot.pairs(request, [&](const DocumentPair& pair) -> Result<void> {
    const dedup::TextNumber a = dedup::text_of_id(pair.a), b = dedup::text_of_id(pair.b);
    if (corpus_.is_known(a) && corpus_.is_known(b)) return {};
    const bool covers_b = corpus_.prefers(a, b);
    const dedup::TextNumber preferred = covers_b ? a : b, other = covers_b ? b : a;
    const double share = share_of(pair, covers_b, condition.measure);
    const bool is_whole =
        common == nullptr || !(common->has(other) || (!is_contained && common->has(preferred)));
    const bool covers = tier.value_or(0) == 0 && is_whole && share >= condition.least;
    if (!covers && is_contained && share < request.condition.min_containment) return {};
    ++candidates;
    return out->write(dedup::bytes_of({preferred, other, covers ? share : 0.0}));
  }));
  if (!summary.complete) {
    AKIN_CHECK(out->save());
    return unless_stopped();
  }
  return out->finish();
}

Result<dedup::Selection> DedupRun::select(const dedup::Condition& condition) {
  corpus_.seal();
  // Opened again, the index has none of the pages that it wrote, nor the dictionaries what was read of them.
  index_ = OpenCollection();
  AKIN_TRY(index_, open_collection(options_));
  ::malloc_trim(0);  // else what loading has freed stays with the process while texts are compared
  AKIN_TRY(const auto snapshot, index_->snapshot());
  const Scheme& scheme = index_->scheme();
  dedup::ShareMeter meter(*index_.collection, condition, memory_ / kWordsPart);
  dedup::CommonTexts common(
      condition, kNominatingPart * condition.least,
      [&](std::span<const dedup::TextNumber> texts) { return meter.outlines(texts); }, memory_ / kCommonPart);
  dedup::CommonTexts* const aligned = finds_reuse(scheme) ? &common : nullptr;
  std::vector<fs::path> files = {folder_ / "measured"};
  const bool tiers = !scheme.tiers().empty();
  AKIN_CHECK(find_candidates(*snapshot, tiers ? std::optional<std::size_t>(0) : std::nullopt, condition,
                             aligned, files.front()));
  if (aligned != nullptr) {
    files.push_back(folder_ / "seeds");
    AKIN_CHECK(
        find_candidates(*snapshot, seed_tier(scheme, kPassageWords), condition, aligned, files.back()));
  }
  ::malloc_trim(0);
  ProgressLine line("aligning");
  dedup::Selection selection(corpus_, condition.least, aligned);
  AKIN_CHECK(selection.run(
      files, memory_ / kCandidatesPart,
      [&](std::span<const dedup::Candidate> some) { return meter.measure(some); },
      [&](const dedup::SelectionProgress& now) {
        line.update(now.share, 0, counted(now.measured, "pair"));
        return unless_stopped();
      }));
  return selection;
}

}  // namespace akin::cli
