#include "index/pg/documents/directory.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "index/search/ranking.h"
#include "index/store/stored_document.h"

namespace akin::pg {
namespace {

constexpr std::size_t kRecordsAtOnce = 10'000;
constexpr std::size_t kMostAhead = 100;
/// Numbers and records that are kept from one search of a snapshot to the next.
constexpr std::size_t kMostKnown = 100'000;
/// About so many are looked up together.
constexpr std::uint64_t kFeaturesAhead = 50'000;

std::int64_t limit_of(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
}

/// Of rows of doc and record.
Result<std::vector<StoredDocument>> documents_of(const Rows& rows) {
  std::vector<StoredDocument> documents;
  documents.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::int64_t number = rows.number(row, 0);
    AKIN_TRY(DocumentRecord record, record_of(rows.bytes(row, 1), number));
    documents.push_back({std::move(record), static_cast<std::uint64_t>(number)});
  }
  return documents;
}

std::vector<std::int64_t> numbers_of(std::span<const Candidate> candidates) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(candidates.size());
  for (const Candidate& one : candidates) numbers.push_back(static_cast<std::int64_t>(number_of(one)));
  return numbers;
}

std::vector<std::int64_t> first_column(const Rows& rows) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) numbers.push_back(rows.number(row, 0));
  return numbers;
}

/// Those whose records the page will need if no candidate is left out, unless they are many.
std::vector<std::int64_t> likely_page(const SearchRequest& request, std::vector<Candidate> candidates) {
  if (request.accept || request.limit == 0) return {};
  keep_best(candidates, wanted_hits(request));
  if (candidates.size() > kMostAhead) return {};
  return numbers_of(candidates);
}

}  // namespace

Result<std::optional<StoredDocument>> Directory::find(std::string_view id) const {
  AKIN_TRY(const Rows rows,
           run("SELECT doc, record FROM akin.documents_@ WHERE id = $1", Params().bytes(id)));
  AKIN_TRY(std::vector<StoredDocument> found, documents_of(rows));
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

Result<std::vector<StoredDocument>> Directory::list(std::string_view after, std::size_t limit) const {
  AKIN_TRY(const Rows rows, run("SELECT doc, record FROM akin.documents_@ WHERE id > $1 ORDER BY id LIMIT $2",
                                Params().bytes(after).number(limit_of(limit))));
  AKIN_TRY(std::vector<StoredDocument> documents, documents_of(rows));
  listed_.clear();
  expected_ = 0;
  for (const StoredDocument& one : documents)
    listed_.push_back({one.id, {static_cast<std::int64_t>(one.number), one.text_bytes}, one.all_features()});
  return documents;
}

std::vector<TextOf> Directory::next_listed(std::string_view id) const {
  std::vector<TextOf> next;
  const auto at = std::ranges::lower_bound(listed_, id, {}, &Listed::id);
  if (at == listed_.end() || at->id != id) return next;
  const auto place = static_cast<std::size_t>(at - listed_.begin());
  const bool is_expected = place == expected_;
  expected_ = place + 1;
  if (!is_expected || place == 0) return next;
  std::uint64_t features = 0;
  for (std::size_t i = place; i < listed_.size() && features < kFeaturesAhead; ++i) {
    next.push_back(listed_[i].document);
    features += listed_[i].features;
  }
  return next;
}

Result<std::vector<StoredDocument>> Directory::changes(Revision after, std::size_t limit) const {
  if (after >= kMaxRevision) return std::vector<StoredDocument>();
  AKIN_TRY(const Rows rows,
           run("SELECT doc, record FROM akin.documents_@ WHERE revision > $1 ORDER BY revision LIMIT $2",
               Params().number(static_cast<std::int64_t>(after.value)).number(limit_of(limit))));
  return documents_of(rows);
}

Result<DocumentRecord> Directory::record(DocNumber number) const {
  const auto document = static_cast<std::int64_t>(static_cast<std::uint32_t>(number));
  AKIN_TRY(const Rows rows,
           run("SELECT doc, record FROM akin.documents_@ WHERE doc = $1", Params().number(document)));
  if (rows.size() == 0) return corrupt(name_of_document(document), "it has postings and no record");
  return record_of(rows.bytes(0, 1), document);
}

Result<void> Directory::for_each_record(std::span<const Candidate> candidates,
                                        const RecordVisitor& visit) const {
  std::vector<Candidate> others;
  for (const Candidate& one : candidates) {
    const auto number = static_cast<std::int64_t>(number_of(one));
    const auto here = ahead_.find(number);
    if (here == ahead_.end()) {
      others.push_back(one);
      continue;
    }
    AKIN_TRY(DocumentRecord record, record_of(here->second, number));
    AKIN_CHECK(visit(one, std::move(record)));
  }
  for (std::size_t at = 0; at < others.size(); at += kRecordsAtOnce) {
    const auto page = std::span(others).subspan(at, std::min(kRecordsAtOnce, others.size() - at));
    AKIN_CHECK(read_records(page, visit));
  }
  return {};
}

Result<void> Directory::read_records(std::span<const Candidate> candidates,
                                     const RecordVisitor& visit) const {
  std::unordered_map<std::int64_t, std::uint32_t> x_of;
  for (const Candidate& one : candidates) x_of.emplace(static_cast<std::int64_t>(number_of(one)), one.x);
  const Statement records = select_records(numbers_of(candidates));
  AKIN_TRY(const Rows rows, connection_.run(records.sql, records.params));
  if (rows.size() != candidates.size()) return corrupt("postings", "a document in them has no record");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    AKIN_TRY(DocumentRecord record, record_of(rows.bytes(row, 1), rows.number(row, 0)));
    const std::int64_t number = rows.number(row, 0);
    AKIN_CHECK(
        visit(Candidate{DocNumber{static_cast<std::uint32_t>(number)}, x_of.at(number)}, std::move(record)));
  }
  return {};
}

Statement Directory::select_records(const std::vector<std::int64_t>& numbers) const {
  return {of_store("SELECT doc, record FROM akin.documents_@ WHERE doc = ANY($1)", store_),
          Params().numbers(numbers)};
}

Statement Directory::select_missing(const std::vector<std::int64_t>& numbers) const {
  // All postings are of documents in the directory or tombstoned.
  return {of_store("SELECT doc FROM akin.tombstones_@ WHERE doc = ANY($1) ORDER BY doc", store_),
          Params().numbers(numbers)};
}

Result<std::vector<std::int64_t>> Directory::missing_of(const std::vector<std::int64_t>& numbers) const {
  if (numbers.empty()) return std::vector<std::int64_t>();
  const Statement missing = select_missing(numbers);
  AKIN_TRY(const Rows rows, connection_.run(missing.sql, missing.params));
  return first_column(rows);
}

Statement Directory::select_existing(const std::vector<std::int64_t>& numbers,
                                     const std::vector<std::int64_t>& with_records) const {
  return {of_store("SELECT doc, NULL::bytea AS record FROM akin.tombstones_@ WHERE doc = ANY($1)"
                   " UNION ALL SELECT doc, record FROM akin.documents_@ WHERE doc = ANY($2)",
                   store_),
          Params().numbers(numbers).numbers(with_records)};
}

Result<void> Directory::leave_out(const SearchRequest& request, std::vector<Candidate>& candidates) const {
  if (ahead_.size() > kMostKnown) ahead_.clear();
  if (existing_.size() > kMostKnown) existing_.clear();
  std::vector<std::int64_t> unknown = numbers_of(candidates);
  std::erase_if(unknown, [&](std::int64_t number) { return existing_.contains(number); });
  // Most pages lose nothing, so that their records can be asked for, too.
  std::vector<std::int64_t> likely = likely_page(request, candidates);
  std::erase_if(likely, [&](std::int64_t number) { return ahead_.contains(number); });
  std::vector<Statement> statements;
  if (!request.exclude.empty() && !candidates.empty()) {
    const std::vector<std::string_view> ids(request.exclude.begin(), request.exclude.end());
    statements.push_back(
        {of_store("SELECT doc, NULL::bytea AS record FROM akin.documents_@ WHERE id = ANY($1)", store_),
         Params().byte_strings(ids)});
  }
  if (!unknown.empty() || !likely.empty()) statements.push_back(select_existing(unknown, likely));
  std::vector<Rows> answers;
  if (!statements.empty()) {
    AKIN_TRY(answers, connection_.run_all(statements));
  }
  existing_.insert(unknown.begin(), unknown.end());
  std::vector<std::int64_t> left_out;
  for (const Rows& rows : answers) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::int64_t number = rows.number(row, 0);
      if (!rows.is_null(row, 1)) {
        ahead_.emplace(number, rows.bytes(row, 1));
        continue;
      }
      left_out.push_back(number);
      existing_.erase(number);
    }
  }
  std::ranges::sort(left_out);
  std::erase_if(candidates, [&](const Candidate& one) {
    return std::ranges::binary_search(left_out, static_cast<std::int64_t>(number_of(one)));
  });
  return keep_accepted(*this, request, candidates);
}

}  // namespace akin::pg
