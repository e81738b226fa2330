#include "cli/commands/pairs/pairs_table.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/error.h"
#include "base/spreadsheet_cell.h"
#include "cli/commands/common/actor.h"
#include "cli/commands/common/evidence.h"
#include "cli/commands/pairs/missing_ids.h"
#include "cli/commands/pairs/pairs_options.h"
#include "cli/frame/csv.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "cli/frame/workspace.h"
#include "index/search/tier_search.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"
#include "server/ingest/places.h"
#include "server/search/filtered_pairs.h"
#include "server/tables/deletions.h"
#include "server/tables/label_store.h"
#include "server/tables/labels.h"

namespace akin::cli {

namespace {

/// What they are called in messages.
std::string labels_name(const CommonOptions& options) {
  return "the labels of collection '" + options.collection + "'";
}

/// Empty if none are stored. Errors: as tables::stored_labels, State::get.
Result<tables::Labels> kept_labels(const CommonOptions& options) {
  AKIN_TRY(const auto state, find_state(options));
  if (state == nullptr) return tables::Labels();
  return tables::kept_labels(*state, options.collection);
}

/// Merges the given labels into those stored. Processes that do so at once wait for one another.
Result<tables::LabelChanges> keep_labels(const CommonOptions& options, const tables::Labels& given) {
  AKIN_TRY(const auto state, open_state(options));
  return tables::keep_labels(*state, options.collection, given);
}

using tables::PairTable;
using tables::RankBy;
using tables::TablePair;

enum class Form { csv, tsv, html };

Result<Form> form_of(const std::string& file) {
  if (file == "-" || file.ends_with(".tsv")) return Form::tsv;
  if (file.ends_with(".csv")) return Form::csv;
  if (file.ends_with(".html")) return Form::html;
  return Error{Errc::invalid_argument, "--table " + file, "its extension is not that of a table format",
               "give a name with .csv, .tsv or .html, or - for TSV on standard output"};
}

RankBy rank_of(const std::string& name) {
  for (const RankBy by : {RankBy::resemblance, RankBy::containment, RankBy::x}) {
    if (tables::rank_name(by) == name) return by;
  }
  return RankBy::resemblance;
}

void complain(const std::string& message) { std::fprintf(stderr, "akin: %s\n", message.c_str()); }

Result<tables::Labels> labels_for(const Session& session, const Snapshot& snapshot) {
  AKIN_TRY(tables::Labels labels, kept_labels(session.options));
  MissingIds missing(snapshot);
  std::uint64_t gone = 0;
  for (const auto& [pair, label] : labels) {
    AKIN_TRY(const bool there, missing.check(pair));
    gone += there ? 0 : 1;
  }
  if (gone > 0) {
    complain(counted(gone, "label") + " in " + labels_name(session.options) +
             " of documents that are no longer in the collection: " + missing.names());
  }
  return labels;
}

/// The largest passages of a pair, each a field of the table, one after another.
struct LargestPassages {
  std::string texts;               ///< their beginnings, as they appear in A
  std::string a_places, b_places;  ///< their pages and parts; empty if none are known
};

/// Reads the text of A once for all of its pairs that follow one another.
class CommonTexts {
 public:
  CommonTexts(const PairTable& table, const Collection& collection, const Snapshot& snapshot)
      : table_(table), collection_(collection), snapshot_(snapshot) {}

  Result<LargestPassages> of(const TablePair& pair) {
    std::vector<Passage> largest(std::min(kPassages, pair.passages.size()));
    std::partial_sort_copy(pair.passages.begin(), pair.passages.end(), largest.begin(), largest.end(),
                           [](const Passage& a, const Passage& b) { return size_of(a) > size_of(b); });
    LargestPassages common;
    common.a_places = places_in(table_.a(pair), largest, &Passage::a);
    common.b_places = places_in(table_.b(pair), largest, &Passage::b);
    if (!collection_.keeps_texts() || largest.empty()) return common;
    const StoredDocument& document = table_.a(pair);
    if (document.id != last_) {
      AKIN_TRY(text_, snapshot_.text(document));
      last_ = document.id;
    }
    const SlicedText slices(text_);
    for (const Passage& passage : largest) add(common.texts, one_line(slices.slice(passage.a), kCodePoints));
    return common;
  }

 private:
  static constexpr std::size_t kPassages = 3;
  static constexpr std::size_t kCodePoints = 100;

  static void add(std::string& list, const std::string& one) { list += (list.empty() ? "" : " | ") + one; }

  static std::string places_in(const DocumentRecord& record, const std::vector<Passage>& passages,
                               TextRange Passage::*side) {
    if (record.places.empty()) return {};
    const extract::Document file = ingest::decode_places(record.places);
    std::string places;
    for (const Passage& passage : passages) add(places, place_name(file, passage.*side));
    return places;
  }

  const PairTable& table_;
  const Collection& collection_;
  const Snapshot& snapshot_;
  std::string last_;
  std::string text_;
};

std::string joined(const std::vector<std::string>& fields, Form form) {
  if (form == Form::csv) return csv_line(fields);
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += '\t';
    // Ids have no such characters; a title keeps its words.
    for (const char c : field) line += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
  }
  return line + '\n';
}

std::vector<std::string> fields_of(const PairTable& table, std::size_t rank, const LargestPassages& common) {
  const TablePair& pair = table.pairs[rank];
  const Overlap& overlap = pair.overlap;
  const DocumentRecord& a = table.a(pair);
  const DocumentRecord& b = table.b(pair);
  const auto count = [](std::uint64_t value) { return std::to_string(value); };
  const auto number = [](double value) { return api::Json(value).dump(); };
  const auto part = [&](double value) { return overlap.has_containment ? number(value) : std::string(); };
  return {count(rank + 1),
          guarded_cell(a.id),
          guarded_cell(b.id),
          pair.label,
          count(overlap.x),
          part(overlap.containment()),
          part(overlap.contained()),
          number(overlap.resemblance()),
          number(overlap.sorensen()),
          count(a.features),
          count(b.features),
          count(a.code_points),
          count(b.code_points),
          guarded_cell(a.title),
          guarded_cell(b.title),
          count(pair.passages.size()),
          guarded_cell(common.texts),
          guarded_cell(common.a_places),
          guarded_cell(common.b_places),
          pair.words ? number(pair.words->a_share()) : "",
          pair.words ? number(pair.words->b_share()) : "",
          tables::address_of(a),
          tables::address_of(b)};
}

Result<void> write_rows(const PairTable& table, Form form, CommonTexts common, LineWriter& out) {
  AKIN_CHECK(
      out.write(joined({"rank",         "a",           "b",        "label",      "x",          "containment",
                        "contained",    "resemblance", "sorensen", "features_a", "features_b", "characters_a",
                        "characters_b", "title_a",     "title_b",  "passages",   "common",     "places_a",
                        "places_b",     "words_a",     "words_b",  "url_a",      "url_b"},
                       form)));
  for (std::size_t rank = 0; rank < table.pairs.size() && !out.lost(); ++rank) {
    AKIN_TRY(const LargestPassages largest, common.of(table.pairs[rank]));
    AKIN_CHECK(out.write(joined(fields_of(table, rank, largest), form)));
  }
  return {};
}

std::string summary_of(const PairTable& table) {
  const std::string all = counted(table.total, "pair") + of_candidates(table.candidates);
  return table.pairs.size() == table.total ? all : "the first " + grouped(table.pairs.size()) + " of " + all;
}

/// Records which restricted texts the table has: of both documents on a page, else of the first.
Result<void> note_texts(const PairTable& table, TextReadings& readings, Form form) {
  for (const TablePair& pair : table.pairs) {
    AKIN_CHECK(readings.note(table.collection, table.a(pair)));
    if (form == Form::html) AKIN_CHECK(readings.note(table.collection, table.b(pair)));
  }
  return {};
}

Result<bool> aligns_texts(const std::string& include, const Collection& collection) {
  if (include == "aligned" && !collection.keeps_texts()) {
    return Error{Errc::unsupported, "--include aligned",
                 "the collection '" + collection.name() + "' keeps no texts to align", "leave --include out"};
  }
  return include == "aligned" ||
         (include == "passages" && finds_reuse(collection.scheme()) && collection.keeps_texts());
}

Result<PairTable> make_table(const PairsTableOptions& options, const Session& session,
                             const Collection& collection, const RequestedPairs& requested) {
  const auto& [snapshot, request, filter] = requested;
  AKIN_TRY(const tables::Labels labels, labels_for(session, snapshot));
  PairTable table;
  table.collection = collection.name();
  const Scheme& scheme = collection.scheme();
  table.tier = request.tier.value_or(0);
  table.scheme = request.tier ? scheme.tiers()[*request.tier].scheme->name() : scheme.name();
  table.by = rank_of(options.rank_by);
  if (table.by == tables::RankBy::containment && !collection.scheme().has_containment()) {
    return Error{Errc::unsupported, "--rank-by containment",
                 "the samples of the scheme " + table.scheme + " give no containment",
                 "rank by resemblance or x"};
  }
  table.condition = request.condition;
  tables::BestPairs best(table.by, options.limit);
  AKIN_TRY(const PairsSummary summary,
           api::pairs_of(snapshot, request, filter, [&](const DocumentPair& pair) -> Result<void> {
             best.add(pair);
             return {};
           }));
  table.total = summary.pairs;
  table.candidates = summary.candidates;
  AKIN_TRY(const StoreStats stats, snapshot.stats());
  table.collection_documents = stats.documents;
  AKIN_TRY(const bool aligns, aligns_texts(options.include, collection));
  AKIN_CHECK(tables::fill_table(table, best.take(), labels,
                                {snapshot, aligns ? collection.shared_dictionary() : nullptr}));
  return table;
}

}  // namespace

void add_pairs_table_options(Command subcommand, PairsTableOptions& options) {
  subcommand
      .add_option("--table", options.file,
                  "Write the best pairs as a ranked table for an expert: FILE.csv, FILE.tsv,\n"
                  "or FILE.html, a page that shows the texts side by side; - is TSV on standard output")
      .type_name("FILE");
  subcommand.add_option("--limit", options.limit, "Pairs in the table; 0 = all")
      .type_name("N")
      .check(check_count)
      .capture_default_str();
  subcommand
      .add_option("--rank-by", options.rank_by,
                  "Measure by which the pairs are ranked: resemblance, containment, x")
      .type_name("MEASURE")
      .one_of({"resemblance", "containment", "x"})
      .capture_default_str();
  subcommand
      .add_option(
          "--include", options.include,
          "What the table's passages are: features (runs of shared features), aligned (word by word;\n"
          "needs stored texts), or passages: aligned if searches of the collection align texts")
      .type_name("KIND")
      .one_of({"passages", "features", "aligned"})
      .capture_default_str();
  subcommand
      .add_option("--page-texts", options.texts, "Bytes of a page that texts may take (suffixes K, M, G)")
      .with_size_suffix()
      .type_name("BYTES")
      .default_str("32M");
  subcommand
      .add_option("--labels", options.labels,
                  "Store the labels of a table with the columns a, b and label; - is standard input")
      .type_name("FILE");
  subcommand.add_flag(
      "--deletions", options.deletions,
      "Print the documents that stored labels \"keep a\" and \"keep b\" let go; deletes nothing");
}

Result<PairsReport> write_pairs_table(const PairsTableOptions& options, const Session& session,
                                      const OpenCollection& opened, const RequestedPairs& requested) {
  const Snapshot& snapshot = requested.snapshot;
  const Collection& collection = *opened;
  AKIN_TRY(const Form form, form_of(options.file));
  if (form == Form::html && !collection.keeps_texts()) {
    return Error{Errc::unsupported, "--table " + options.file,
                 "the collection '" + collection.name() + "' keeps no texts to show",
                 "write a .csv or .tsv table"};
  }
  AKIN_TRY(const auto out, LineWriter::open(options.file));
  AKIN_TRY(const PairTable table, make_table(options, session, collection, requested));
  if (collection.keeps_texts()) {
    AKIN_TRY(auto state, find_state(session.options));
    TextReadings readings(std::move(state), opened.catalog);
    AKIN_CHECK(note_texts(table, readings, form));
  }
  std::string summary = summary_of(table);
  if (form == Form::html) {
    AKIN_TRY(const tables::PageSummary page,
             tables::write_pairs_page(table, snapshot, options.texts,
                                      [&](std::string_view piece) { return out->write(piece); }));
    summary +=
        ", " + grouped(page.readable) + " of them with texts, on a page of " + byte_count(page.bytes) + ",";
  } else {
    AKIN_CHECK(write_rows(table, form, CommonTexts(table, collection, snapshot), *out));
  }
  AKIN_CHECK(out->finish());
  return PairsReport{std::move(summary), table.total};
}

Result<Exit> print_deletions(bool csv, Session& session) {
  AKIN_TRY(const tables::Labels labels, kept_labels(session.options));
  const tables::Deletions deletions = tables::deletions_of(labels);
  if (csv) session.out << csv_line({"delete", "keep"});
  for (const auto& [id, kept] : deletions.documents) {
    if (session.options.json) {
      session.out << api::Json{{"delete", id}, {"keep", kept}}.dump() << "\n";
    } else {
      session.out << (csv ? csv_line({guarded_cell(id), guarded_cell(kept)}) : id + "\n");
    }
  }
  for (const auto& ids : deletions.contradictions) {
    std::string all;
    for (const std::string& id : ids) all += (all.empty() ? "'" : ", '") + one_line(id, kMaxIdBytes) + "'";
    complain("the labels would leave none of " + all + ", so none of them is listed");
  }
  return deletions.contradictions.empty() ? Exit::ok : Exit::error;
}

Result<Exit> take_labels(const std::string& file, Session& session) {
  AKIN_TRY(const std::string text, ingest::read_text(file));
  AKIN_TRY(tables::Labels given, tables::read_given_labels(text, ingest::display_name(file)));
  AKIN_TRY(const auto collection, open_collection(session.options));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  MissingIds missing(*snapshot);
  std::uint64_t refused = 0;
  for (auto entry = given.begin(); entry != given.end();) {
    AKIN_TRY(const bool there, missing.check(entry->first));
    // A label can be removed even if its documents no longer exist.
    const bool kept = there || entry->second == "-";
    refused += kept ? 0 : 1;
    entry = kept ? std::next(entry) : given.erase(entry);
  }
  AKIN_TRY(const auto changes, keep_labels(session.options, given));
  if (session.options.json) {
    session.out << api::Json{{"added", changes.added},
                             {"changed", changes.changed},
                             {"removed", changes.removed},
                             {"same", changes.same},
                             {"refused", refused}}
                       .dump()
                << "\n";
  } else {
    session.out << "labels of collection '" << session.options.collection << "': " << grouped(changes.added)
                << " added, " << grouped(changes.changed) << " changed, " << grouped(changes.removed)
                << " removed, " << grouped(changes.same) << " as before, " << grouped(refused)
                << " refused\n";
  }
  if (refused == 0) return Exit::ok;
  complain(counted(refused, "label") + " of documents that are not in the collection '" +
           session.options.collection + "': " + missing.names());
  return Exit::error;
}

}  // namespace akin::cli
