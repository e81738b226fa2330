#include "cli/commands/dedup/dedup_why.h"

#include <algorithm>

#include "cli/commands/common/evidence.h"
#include "cli/frame/format.h"
#include "server/search/comparison.h"

namespace akin::cli {

namespace {

using dedup::Reason;
using dedup::Verdict;

constexpr EvidenceLimits kLimits{5, 10};

std::string quoted(std::string_view id) { return "'" + one_line(id, kMaxIdBytes) + "'"; }

/// "has 93.2 % of its words": what the kept document has of the dropped one.
std::string has_line(const Verdict& verdict, dedup::Measure measure) {
  if (verdict.reason == Reason::equal) return "has the same text";
  const std::string what = verdict.reason == Reason::words ? "words" : "features";
  if (measure == dedup::Measure::containment) return "has " + percent(verdict.share) + " of its " + what;
  return "shares " + percent(verdict.share) + " of the " + what + " of both with it";
}

Result<void> print_shared(const std::string& kept, const std::string& dropped, const Collection& index,
                          Output& out) {
  AKIN_TRY(
      const api::Comparison found,
      api::compare_texts(kept, dropped, index.scheme(), index.shared_dictionary(), api::Evidence::automatic));
  const SlicedText kept_text(kept), dropped_text(dropped);
  const Sides sides{kept_text, dropped_text, "kept", "dropped"};
  if (!found.aligned.passages.empty()) {
    print_aligned(out, found.aligned, sides, kLimits);
  } else {
    print_passages(out, found.hit.passages, sides, kLimits.passages);
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> documents_with_id(const dedup::Corpus& corpus, std::string_view id) {
  std::vector<std::uint32_t> found;
  for (std::size_t document = corpus.known(); document < corpus.size(); ++document)
    if (corpus.id(document) == id) found.push_back(static_cast<std::uint32_t>(document));
  return found;
}

Result<void> print_why(std::uint32_t document, const DedupOutcome& outcome, const DedupRun& run,
                       dedup::Measure measure, Output& out) {
  const dedup::Corpus& corpus = *outcome.corpus;
  const Verdict& verdict = outcome.verdicts[document];
  out << quoted(corpus.id(document));
  if (verdict.is_kept()) {
    const auto covered = std::ranges::count_if(
        outcome.verdicts, [&](const Verdict& one) { return one.kept == document && !one.is_kept(); });
    out << ": kept, no kept document covers it; it covers "
        << counted(static_cast<std::uint64_t>(covered), "dropped document") << "\n";
    return {};
  }
  out << ": dropped, " << quoted(corpus.id(verdict.kept)) << " " << has_line(verdict, measure) << "\n";
  if (verdict.reason == Reason::equal) return {};
  AKIN_TRY(const auto snapshot, run.index().snapshot());
  const auto text_of = [&](std::uint32_t one) {
    return snapshot->text(dedup::index_id(corpus.text_of(one)));
  };
  AKIN_TRY(const std::string kept, text_of(verdict.kept));
  AKIN_TRY(const std::string dropped, text_of(document));
  return print_shared(kept, dropped, run.index(), out);
}

json::Json why_object(std::uint32_t document, const DedupOutcome& outcome) {
  const Verdict& verdict = outcome.verdicts[document];
  json::Json object{{"id", outcome.corpus->id(document)},
                    {"kept", verdict.is_kept()},
                    {"duplicate_of", nullptr},
                    {"share", nullptr},
                    {"shares", nullptr}};
  if (verdict.is_kept()) return object;
  object["duplicate_of"] = outcome.corpus->id(verdict.kept);
  object["share"] = verdict.share;
  object["shares"] = dedup::reason_name(verdict.reason);
  return object;
}

}  // namespace akin::cli
