#include "cli/commands/dedup_output.h"

#include <algorithm>
#include <memory>

#include "cli/dedup/input.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;
using dedup::Corpus;
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

std::string noun(std::uint64_t number, const char* one, const char* more) {
  return grouped(number) + " " + (number == 1 ? one : more);
}

}  // namespace

Result<void> write_kept(const fs::path& out, const DedupOutcome& outcome, const DedupLines* lines,
                        bool mark) {
  AKIN_TRY(const auto writer, LineWriter::open(out, compression_of(out)));
  AKIN_CHECK(lines != nullptr ? write_lines(*writer, outcome, *lines, mark)
                              : write_ids(*writer, outcome, mark));
  return writer->finish();
}

Result<void> write_dedup_pairs(const fs::path& file, const DedupOutcome& outcome) {
  AKIN_TRY(const auto writer, LineWriter::open(file, compression_of(file)));
  const Corpus& corpus = *outcome.corpus;
  for (std::size_t document = corpus.known(); document < corpus.size(); ++document) {
    const Verdict& verdict = outcome.verdicts[document];
    if (verdict.is_kept()) continue;
    Json pair{{"kept", corpus.id(verdict.kept)}, {"dropped", corpus.id(document)}};
    describe(verdict, pair);
    AKIN_CHECK(writer->write(pair.dump() + "\n"));
  }
  return writer->finish();
}

Result<void> write_clusters(const fs::path& file, const DedupOutcome& outcome) {
  const Corpus& corpus = *outcome.corpus;
  std::vector<std::size_t> dropped;
  for (std::size_t document = corpus.known(); document < corpus.size(); ++document)
    if (!outcome.verdicts[document].is_kept()) dropped.push_back(document);
  std::ranges::stable_sort(dropped, {},
                           [&](std::size_t document) { return outcome.verdicts[document].kept; });
  AKIN_TRY(const auto writer, LineWriter::open(file, compression_of(file)));
  for (auto begin = dropped.begin(); begin != dropped.end();) {
    const Verdict& first = outcome.verdicts[*begin];
    Json members = Json::array();
    for (; begin != dropped.end() && outcome.verdicts[*begin].kept == first.kept; ++begin) {
      Json& member = members.emplace_back(Json{{"id", corpus.id(*begin)}});
      describe(outcome.verdicts[*begin], member);
    }
    const Json cluster{{"cluster", cluster_of(first)}, {"kept", corpus.id(first.kept)}, {"dropped", members}};
    AKIN_CHECK(writer->write(cluster.dump() + "\n"));
  }
  return writer->finish();
}

std::string summary_line(const dedup::Tally& tally, std::uint64_t refused,
                         std::chrono::duration<double> time) {
  std::string line = "read " + counted(tally.read, "document") + ", kept " + grouped(tally.kept) + ": " +
                     noun(tally.near, "near-duplicate", "near-duplicates") + ", " + grouped(tally.equal) +
                     " equal; " + counted(tally.words_read, "word") + " before, " +
                     grouped(tally.words_kept) + " after; ";
  if (refused > 0) line += grouped(refused) + " refused; ";
  return line + seconds_taken(time) + "\n";
}

}  // namespace akin::cli
