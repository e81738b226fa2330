#include "cli/commands/dedup/dedup_output.h"

#include <algorithm>
#include <span>
#include <vector>

#include "cli/commands/common/evidence.h"
#include "cli/dedup/input.h"
#include "cli/dedup/shared_sentences.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "server/search/comparison.h"

namespace akin::cli {

namespace {

using dedup::Corpus;
using dedup::Reason;
using dedup::Verdict;
using json::Json;

/// A number that a kept document shares with those that it covers.
std::uint64_t cluster_of(const Verdict& verdict) { return std::uint64_t{verdict.kept} + 1; }

Json mark_of(const Corpus& corpus, const Verdict& verdict) {
  Json mark{{"cluster", cluster_of(verdict)}, {"duplicate_of", nullptr}, {"share", nullptr}};
  if (!verdict.is_kept()) {
    mark["duplicate_of"] = corpus.id(verdict.kept);
    mark["share"] = verdict.share;
  }
  return mark;
}

/// The fields of an object without its braces.
std::string fields_of(const Json& object) {
  const std::string text = object.dump();
  return text.substr(1, text.size() - 2);
}

Error changed() {
  return {Errc::precondition_failed, "input", "has changed while it was read", "run it again"};
}

Result<void> write_lines(LineWriter& out, const DedupOutcome& outcome, const DedupLines& lines, bool mark) {
  dedup::CorpusLines input(lines.files);
  const Corpus& corpus = *outcome.corpus;
  std::size_t document = corpus.known();
  for (std::size_t number = 0;; ++number) {
    AKIN_TRY(const auto line, input.next());
    if (line.has_value() != (number < lines.is_document.size())) return changed();
    if (!line) break;
    if (!lines.is_document[number]) continue;
    const Verdict& verdict = outcome.verdicts[document++];
    if (mark) {
      AKIN_CHECK(out.write(dedup::with_fields(line->text, fields_of(mark_of(corpus, verdict))) + "\n"));
    } else if (verdict.is_kept()) {
      AKIN_CHECK(out.write(line->text + "\n"));
    }
  }
  return {};
}

Result<void> write_ids(LineWriter& out, const DedupOutcome& outcome, bool mark) {
  const Corpus& corpus = *outcome.corpus;
  for (std::size_t document = corpus.known(); document < corpus.size(); ++document) {
    const Verdict& verdict = outcome.verdicts[document];
    if (mark) {
      Json object{{"id", corpus.id(document)}};
      object.update(mark_of(corpus, verdict));
      AKIN_CHECK(out.write(object.dump() + "\n"));
    } else if (verdict.is_kept()) {
      AKIN_CHECK(out.write(std::string(corpus.id(document)) + "\n"));
    }
  }
  return {};
}

/// What is said of a dropped document.
void describe(const Verdict& verdict, Json& object) {
  object["share"] = verdict.share;
  object["shares"] = dedup::reason_name(verdict.reason);
}

/// The end of a summary.
std::string words_and_time(std::uint64_t before, std::uint64_t after, std::uint64_t refused,
                           std::chrono::duration<double> time) {
  const std::string words = counted(before, "word") + " before, " + grouped(after) + " after; ";
  return words + (refused > 0 ? grouped(refused) + " refused; " : "") + seconds_taken(time) + "\n";
}

constexpr EvidenceLimits kLimits{5, 10};
constexpr std::size_t kSentenceLetters = 100;

std::string quoted(std::string_view id) { return "'" + one_line(id, kMaxIdBytes) + "'"; }

/// "has 93.2 % of its words": what the kept document has of the dropped one.
std::string has_line(const Verdict& verdict, dedup::Measure measure) {
  if (verdict.reason == Reason::equal) return "has the same text";
  const std::string what = verdict.reason == Reason::words ? "words" : "features";
  if (measure == dedup::Measure::containment) return "has " + percent(verdict.share) + " of its " + what;
  return "shares " + percent(verdict.share) + " of the " + what + " of both with it";
}

/// Prints the equal sentences that lie in no passage, as the dropped text has them.
Result<void> print_sentences(const std::string& kept, const std::string& dropped, const AlignedText& aligned,
                             const Dictionary& dictionary, Output& out) {
  AKIN_TRY(const dedup::SentencedWords a, dedup::read_sentences(kept, dictionary));
  AKIN_TRY(const dedup::SentencedWords b, dedup::read_sentences(dropped, dictionary));
  std::vector<TextRange> sentences;
  for (const dedup::EqualSentences& equal : dedup::equal_sentences(a.sentences, b.sentences)) {
    const TextRange sentence{b.words.ranges[equal.b.begin].begin, b.words.ranges[equal.b.end - 1].end};
    const bool is_shown = std::ranges::any_of(aligned.passages, [&](const Passage& one) {
      return one.b.begin <= sentence.begin && sentence.end <= one.b.end;
    });
    if (!is_shown) sentences.push_back(sentence);
  }
  if (sentences.empty()) return {};
  out << "   " << counted(sentences.size(), "sentence") << " outside of passages with the same words\n";
  const SlicedText text(dropped);
  Table table({Table::Align::left, Table::Align::right, Table::Align::left});
  const std::size_t shown = std::min<std::size_t>(sentences.size(), kLimits.changes);
  for (const TextRange& one : std::span(sentences).first(shown))
    table.add({"      dropped", range(one), one_line(text.slice(one), kSentenceLetters)});
  out << table.text();
  return {};
}

Result<void> print_shared(Reason reason, const std::string& kept, const std::string& dropped,
                          const Collection& index, Output& out) {
  AKIN_TRY(
      const api::Comparison found,
      api::compare_texts(kept, dropped, index.scheme(), index.shared_dictionary(), api::Evidence::automatic));
  const SlicedText kept_text(kept), dropped_text(dropped);
  const Sides sides{kept_text, dropped_text, "kept", "dropped"};
  if (reason == Reason::features && found.aligned.passages.empty()) {
    print_passages(out, found.hit.passages, sides, kLimits.passages);
    return {};
  }
  print_aligned(out, found.aligned, sides, kLimits);
  return print_sentences(kept, dropped, found.aligned, index.dictionary(), out);
}

}  // namespace

Result<void> write_kept(LineWriter& out, const DedupOutcome& outcome, const DedupLines* lines, bool mark) {
  AKIN_CHECK(lines != nullptr ? write_lines(out, outcome, *lines, mark) : write_ids(out, outcome, mark));
  return out.finish();
}

Result<void> write_dedup_pairs(LineWriter& out, const DedupOutcome& outcome) {
  const Corpus& corpus = *outcome.corpus;
  for (std::size_t document = corpus.known(); document < corpus.size(); ++document) {
    const Verdict& verdict = outcome.verdicts[document];
    if (verdict.is_kept()) continue;
    Json pair{{"kept", corpus.id(verdict.kept)}, {"dropped", corpus.id(document)}};
    describe(verdict, pair);
    AKIN_CHECK(out.write(pair.dump() + "\n"));
  }
  return out.finish();
}

Result<void> write_clusters(LineWriter& out, const DedupOutcome& outcome) {
  const Corpus& corpus = *outcome.corpus;
  std::vector<std::size_t> dropped;
  for (std::size_t document = corpus.known(); document < corpus.size(); ++document)
    if (!outcome.verdicts[document].is_kept()) dropped.push_back(document);
  std::ranges::stable_sort(dropped, {},
                           [&](std::size_t document) { return outcome.verdicts[document].kept; });
  for (auto begin = dropped.begin(); begin != dropped.end();) {
    const Verdict& first = outcome.verdicts[*begin];
    Json members = Json::array();
    for (; begin != dropped.end() && outcome.verdicts[*begin].kept == first.kept; ++begin) {
      Json& member = members.emplace_back(Json{{"id", corpus.id(*begin)}});
      describe(outcome.verdicts[*begin], member);
    }
    const Json cluster{{"cluster", cluster_of(first)}, {"kept", corpus.id(first.kept)}, {"dropped", members}};
    AKIN_CHECK(out.write(cluster.dump() + "\n"));
  }
  return out.finish();
}

std::string summary_line(const dedup::Tally& tally, const Corpus& corpus, std::uint64_t refused,
                         std::chrono::duration<double> time) {
  std::string line = "read " + counted(tally.read, "document");
  if (corpus.known() > 0) line += " and " + grouped(corpus.known()) + " known";
  line += ", kept " + grouped(tally.kept) + ": " + counted(tally.near, "near-duplicate") + ", " +
          grouped(tally.equal) + " equal; " +
          words_and_time(tally.words_read, tally.words_kept, refused, time);
  if (corpus.without_preference() > 0) {
    line.insert(0, counted(corpus.without_preference(), "document") +
                       " without a value that --keep could use came last\n");
  }
  return line;
}

Json summary_object(const dedup::Tally& tally, const Corpus& corpus, std::uint64_t compared) {
  return {{"read", tally.read},
          {"known", corpus.known()},
          {"kept", tally.kept},
          {"near_duplicates", tally.near},
          {"equal", tally.equal},
          {"words_read", tally.words_read},
          {"words_kept", tally.words_kept},
          {"compared_pairs", compared},
          {"without_preference", corpus.without_preference()}};
}

std::string paragraphs_line(const ParagraphTally& tally, const std::string& piece,
                            std::chrono::duration<double> time) {
  return "read " + counted(tally.read, "document") + ", kept " + grouped(tally.kept) + ", " +
         grouped(tally.changed) + " of them shorter: " +
         (piece == "passage" ? counted(tally.repeated, piece)
                             : grouped(tally.repeated) + " of " + counted(tally.pieces, piece)) +
         " repeated; " + words_and_time(tally.words_read, tally.words_kept, tally.refused, time);
}

Json paragraphs_object(const ParagraphTally& tally) {
  return {{"read", tally.read},
          {"kept", tally.kept},
          {"changed", tally.changed},
          {"pieces", tally.pieces},
          {"repeated", tally.repeated},
          {"words_read", tally.words_read},
          {"words_kept", tally.words_kept},
          {"refused", tally.refused}};
}

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
  return print_shared(verdict.reason, kept, dropped, run.index(), out);
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
