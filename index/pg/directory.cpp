#include "index/pg/directory.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "index/pg/stored.h"
#include "index/ranking.h"

namespace akin::pg {
namespace {

constexpr std::size_t kRecordsAtOnce = 10'000;
constexpr std::size_t kMostIds = 500'000;
constexpr std::size_t kMostAhead = 100;
/// About so many are looked up together.
constexpr std::uint64_t kFeaturesAhead = 50'000;

std::int64_t limit_of(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
}

Result<std::vector<DocumentRecord>> records_of(const Rows& rows) {
  std::vector<DocumentRecord> records;
  records.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    AKIN_TRY(DocumentRecord record, record_of(rows.bytes(row, 1), rows.number(row, 0)));
    records.push_back(std::move(record));
  }
  return records;
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

Result<Rows> Directory::row_of(std::string_view id, const std::string& columns) const {
  return run("SELECT doc, " + columns + " FROM akin.documents_@ WHERE id = $1", Params().bytes(id));
}

Result<std::optional<DocumentRecord>> Directory::find(std::string_view id) const {
  AKIN_TRY(const Rows rows, row_of(id, "record"));
  if (rows.size() == 0) return std::optional<DocumentRecord>();
  AKIN_TRY(DocumentRecord record, record_of(rows.bytes(0, 1), rows.number(0, 0)));
  return std::optional(std::move(record));
}

Result<std::vector<DocumentRecord>> Directory::list(std::string_view after, std::size_t limit) const {
  AKIN_TRY(const Rows rows, run("SELECT doc, record FROM akin.documents_@ WHERE id > $1 ORDER BY id LIMIT $2",
                                Params().bytes(after).number(limit_of(limit))));
  AKIN_TRY(std::vector<DocumentRecord> records, records_of(rows));
  listed_.clear();
  expected_ = 0;
  for (std::size_t row = 0; row < records.size(); ++row)
    listed_.push_back({records[row].id, rows.number(row, 0), records[row].all_features()});
  return records;
}

std::vector<std::int64_t> Directory::next_listed(std::string_view id) const {
  std::vector<std::int64_t> numbers;
  const auto at = std::ranges::lower_bound(listed_, id, {}, &Listed::id);
  if (at == listed_.end() || at->id != id) return numbers;
  const auto place = static_cast<std::size_t>(at - listed_.begin());
  const bool is_expected = place == expected_;
  expected_ = place + 1;
  if (!is_expected || place == 0) return numbers;
  std::uint64_t features = 0;
  for (std::size_t i = place; i < listed_.size() && features < kFeaturesAhead; ++i) {
    numbers.push_back(listed_[i].number);
    features += listed_[i].features;
  }
  return numbers;
}

Result<std::vector<DocumentRecord>> Directory::changes(Revision after, std::size_t limit) const {
  if (after >= kMaxRevision) return std::vector<DocumentRecord>();
  AKIN_TRY(const Rows rows,
           run("SELECT doc, record FROM akin.documents_@ WHERE revision > $1 ORDER BY revision LIMIT $2",
               Params().number(static_cast<std::int64_t>(after.value)).number(limit_of(limit))));
  return records_of(rows);
}

Result<std::string> Directory::id_of(DocNumber number, std::optional<std::uint64_t> features,
                                     std::size_t tier) const {
  if (const auto known = ids_.find(number); known != ids_.end()) return known->second;
  if (ids_.size() >= kMostIds) ids_.clear();
  const auto document = static_cast<std::int64_t>(static_cast<std::uint32_t>(number));
  AKIN_TRY(const Rows rows,
           run("SELECT doc, record FROM akin.documents_@ WHERE doc = $1", Params().number(document)));
  if (rows.size() == 0) return corrupt(name_of_document(document), "it has postings and no record");
  AKIN_TRY(DocumentRecord record, record_of(rows.bytes(0, 1), document));
  if (features && record.features_in(tier).value_or(0) != *features) {
    return corrupt(name_of_document(document),
                   "its record and its postings have different numbers of features");
  }
  return ids_.emplace(number, std::move(record.id)).first->second;
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
  // In one database all postings are of documents in the directory or tombstoned. A shard is seen as of a
  // later moment, and may have documents that are being written.
  return {of_store(is_local_ ? "SELECT doc FROM akin.tombstones_@ WHERE doc = ANY($1) ORDER BY doc"
                             : "SELECT u FROM unnest($1) AS u WHERE NOT EXISTS (SELECT FROM"
                               " akin.documents_@ d WHERE d.doc = u) ORDER BY u",
                   store_),
          Params().numbers(numbers)};
}

Result<std::vector<std::int64_t>> Directory::missing_of(const std::vector<std::int64_t>& numbers) const {
  if (numbers.empty()) return std::vector<std::int64_t>();
  const Statement missing = select_missing(numbers);
  AKIN_TRY(const Rows rows, connection_.run(missing.sql, missing.params));
  return first_column(rows);
}

Result<void> Directory::leave_out(const SearchRequest& request, std::vector<Candidate>& candidates) const {
  ahead_.clear();
  if (candidates.empty()) return {};
  std::vector<std::int64_t> numbers = numbers_of(candidates);
  std::ranges::sort(numbers);
  std::vector<Statement> statements{select_missing(numbers)};
  if (!request.exclude.empty()) {
    const std::vector<std::string_view> ids(request.exclude.begin(), request.exclude.end());
    statements.push_back({of_store("SELECT doc FROM akin.documents_@ WHERE id = ANY($1)", store_),
                          Params().byte_strings(ids)});
  }
  // Most pages lose nothing, so that their records can be asked for, too.
  const std::vector<std::int64_t> likely = likely_page(request, candidates);
  if (!likely.empty()) statements.push_back(select_records(likely));
  AKIN_TRY(std::vector<Rows> answers, connection_.run_all(statements));
  if (!likely.empty()) {
    const Rows& records = answers.back();
    for (std::size_t row = 0; row < records.size(); ++row)
      ahead_.emplace(records.number(row, 0), records.bytes(row, 1));
    answers.pop_back();
  }
  std::vector<std::int64_t> left_out;
  for (const Rows& rows : answers) {
    const std::vector<std::int64_t> some = first_column(rows);
    left_out.insert(left_out.end(), some.begin(), some.end());
  }
  std::ranges::sort(left_out);
  std::erase_if(candidates, [&](const Candidate& one) {
    return std::ranges::binary_search(left_out, static_cast<std::int64_t>(number_of(one)));
  });
  return request.accept ? accept_some(request, candidates) : Result<void>();
}

/// Drops candidates that the request does not accept.
Result<void> Directory::accept_some(const SearchRequest& request, std::vector<Candidate>& candidates) const {
  std::vector<Candidate> accepted;
  AKIN_CHECK(
      for_each_record(candidates, [&](const Candidate& one, const DocumentRecord& record) -> Result<void> {
        AKIN_TRY(const bool wanted, request.accept(record));
        if (wanted) accepted.push_back(one);
        return {};
      }));
  candidates = std::move(accepted);
  return {};
}

}  // namespace akin::pg
