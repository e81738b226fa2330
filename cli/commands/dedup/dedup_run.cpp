#include "cli/commands/dedup/dedup_run.h"

#include <malloc.h>

#include <algorithm>
#include <system_error>
#include <utility>

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
/// That in which words of texts are remembered.
constexpr std::uint64_t kWordsPart = 4;
/// Bytes for each text without which pairs are not found.
constexpr std::uint64_t kLeastPairsBytes = 256;
/// Candidates whose common words are counted at once, on all cores.
constexpr std::size_t kMostUncounted = 65'536;
/// That for the candidates of a round.
constexpr std::uint64_t kCandidatesPart = 2;

Result<void> unless_stopped() {
  if (!StopOnSignal::asked()) return {};
  return Error{Errc::unsupported, "dedup", "stopped by a signal",
               "run it again; with --scratch and --resume it continues"};
}

PairCondition condition_of(const DedupCondition& condition, double part) {
  const double least = part * condition.least;
  if (condition.measure == dedup::Measure::containment || part < 1.0) return {.min_containment = least};
  return {.min_resemblance = least};
}

/// The share by which one document of a pair covers the other.
double share_of(const DocumentPair& pair, bool covers_b, dedup::Measure measure) {
  if (measure == dedup::Measure::resemblance) return pair.overlap.resemblance();
  return covers_b ? pair.overlap.contained() : pair.overlap.containment();
}

/// Which texts are in the index.
Result<std::vector<bool>> list_texts(const Collection& index) {
  constexpr std::size_t kListed = 10'000;
  AKIN_TRY(const auto snapshot, index.snapshot());
  std::vector<bool> texts;
  for (std::string after;;) {
    AKIN_TRY(const auto page, snapshot->list(after, kListed));
    if (page.empty()) return texts;
    for (const StoredDocument& record : page) {
      const dedup::TextNumber text = dedup::text_of_id(record.id);
      texts.resize(std::size_t{text} + 1);
      texts[text] = true;
    }
    after = page.back().id;
  }
}

}  // namespace

Result<DedupRun> DedupRun::open(const CommonOptions& options, const fs::path& folder, bool is_resumed,
                                std::uint64_t memory, std::stop_token stop) {
  CommonOptions own = options;
  own.data = folder / "index";
  own.collection = "dedup";
  own.store.clear();
  own.store_of.clear();
  AKIN_TRY(OpenCollection index, open_or_create_collection(own, {}));
  std::vector<bool> is_indexed;
  if (is_resumed) {
    AKIN_TRY(is_indexed, list_texts(*index));
  }
  DedupRun run(std::move(index), folder, memory, std::move(stop));
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
      *index_.collection, [&](std::uint64_t bytes) { return read_some(input, bytes); }, options, result));
  ::malloc_trim(0);  // else what loading has freed stays with the process while texts are compared
  for (auto& [text, error] : refused) {
    error.what = std::string(corpus_.id(corpus_.best_of(text))) + ": " + error.what;
    refused_.push_back(std::move(error));
  }
  return unless_stopped();
}

Result<void> DedupRun::find_candidates(const Snapshot& snapshot, std::optional<std::size_t> tier,
                                       const DedupCondition& condition, bool is_measured,
                                       dedup::ShareMeter& meter, const fs::path& file) {
  fs::path progress_file = file;
  progress_file += ".progress";
  std::error_code failure;
  if (fs::exists(file, failure) && !fs::exists(progress_file, failure)) return {};
  AKIN_TRY(const auto out, PairsFile::open(file, json::Json{{"candidates", file.filename().string()}}));
  ProgressLine line("comparing");
  std::uint64_t candidates = out->position().pairs;
  PairsRequest request;
  const bool aligns = finds_reuse(index_->scheme());
  request.condition = condition_of(condition, aligns ? kNominatingPart : 1.0);
  request.tier = tier;
  request.memory =
      std::max(memory_ - memory_ / kWordsPart, std::min(memory_, corpus_.texts() * kLeastPairsBytes));
  request.first = out->position().next;
  request.stop = stop_;
  const auto write = [&](const dedup::Candidate& candidate) {
    ++candidates;
    return out->write(dedup::bytes_of(candidate));
  };
  std::vector<dedup::Candidate> uncounted;
  const auto write_uncounted = [&]() -> Result<void> {
    AKIN_CHECK(meter.drop_impossible(uncounted));
    for (const dedup::Candidate& one : uncounted) AKIN_CHECK(write(one));
    uncounted.clear();
    return {};
  };
  request.reached = [&](std::uint32_t next) -> Result<void> {
    AKIN_CHECK(write_uncounted());
    return out->reached(next, candidates);
  };
  request.progress = [&](const PairsProgress& now) {
    line.update(now.share, 0, counted(candidates, "candidate"));
    (void)out->save_if_due();  // a failure occurs again, and is reported, when the next number is reached
  };
  AKIN_TRY(const PairsSummary summary, snapshot.pairs(request, [&](const DocumentPair& pair) -> Result<void> {
    const dedup::TextNumber a = dedup::text_of_id(pair.a), b = dedup::text_of_id(pair.b);
    if (corpus_.is_known(a) && corpus_.is_known(b)) return {};
    const bool covers_b = corpus_.prefers(a, b);
    const double share = share_of(pair, covers_b, condition.measure);
    const bool covers = is_measured && share >= condition.least;
    const bool is_nominated = aligns && (condition.measure != dedup::Measure::containment ||
                                         share >= kNominatingPart * condition.least);
    if (!covers && !is_nominated) return {};
    const dedup::Candidate found{covers_b ? a : b, covers_b ? b : a, covers ? share : 0.0};
    if (covers) return write(found);
    uncounted.push_back(found);
    return uncounted.size() < kMostUncounted ? Result<void>() : write_uncounted();
  }));
  if (!summary.complete) {
    AKIN_CHECK(out->save());
    return unless_stopped();
  }
  return out->finish();
}

Result<dedup::Selection> DedupRun::select(const DedupCondition& condition) {
  AKIN_TRY(const auto snapshot, index_->snapshot());
  const Scheme& scheme = index_->scheme();
  dedup::ShareMeter meter(*index_.collection, corpus_.texts(), condition.measure, condition.least,
                          memory_ / kWordsPart);
  std::vector<fs::path> files = {folder_ / "measured"};
  const bool tiers = !scheme.tiers().empty();
  AKIN_CHECK(find_candidates(*snapshot, tiers ? std::optional<std::size_t>(0) : std::nullopt, condition, true,
                             meter, files.front()));
  if (finds_reuse(scheme)) {
    files.push_back(folder_ / "seeds");
    AKIN_CHECK(
        find_candidates(*snapshot, seed_tier(scheme, kPassageWords), condition, false, meter, files.back()));
  }
  ProgressLine line("aligning");
  dedup::Selection selection(corpus_, condition.least);
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
