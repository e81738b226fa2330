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
  return records_of(rows);
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
  for (std::size_t at = 0; at < candidates.size(); at += kRecordsAtOnce) {
    const auto page = candidates.subspan(at, std::min(kRecordsAtOnce, candidates.size() - at));
    std::unordered_map<std::int64_t, std::uint32_t> x_of;
    std::vector<std::int64_t> numbers;
    numbers.reserve(page.size());
    for (const Candidate& one : page) {
      const auto number = static_cast<std::int64_t>(number_of(one));
      x_of.emplace(number, one.x);
      numbers.push_back(number);
    }
    AKIN_TRY(const Rows rows,
             run("SELECT doc, record FROM akin.documents_@ WHERE doc = ANY($1)", Params().numbers(numbers)));
    if (rows.size() != numbers.size()) return corrupt("postings", "a document in them has no record");
    for (std::size_t row = 0; row < rows.size(); ++row) {
      AKIN_TRY(DocumentRecord record, record_of(rows.bytes(row, 1), rows.number(row, 0)));
      const std::int64_t number = rows.number(row, 0);
      AKIN_CHECK(visit(Candidate{DocNumber{static_cast<std::uint32_t>(number)}, x_of.at(number)},
                       std::move(record)));
    }
  }
  return {};
}

Result<std::vector<std::int64_t>> Directory::missing_of(const std::vector<std::int64_t>& numbers) const {
  std::vector<std::int64_t> missing;
  if (numbers.empty()) return missing;
  // In one database all postings are of documents in the directory or tombstoned. A shard is seen as of a
  // later moment, and may have documents that are being written.
  AKIN_TRY(const Rows rows,
           is_local_ ? run("SELECT doc FROM akin.tombstones_@ WHERE doc = ANY($1) ORDER BY doc",
                           Params().numbers(numbers))
                     : run("SELECT u FROM unnest($1) AS u WHERE NOT EXISTS (SELECT FROM akin.documents_@ d"
                           " WHERE d.doc = u) ORDER BY u",
                           Params().numbers(numbers)));
  for (std::size_t row = 0; row < rows.size(); ++row) missing.push_back(rows.number(row, 0));
  return missing;
}

Result<void> Directory::leave_out(const SearchRequest& request, std::vector<Candidate>& candidates) const {
  if (candidates.empty()) return {};
  std::vector<std::int64_t> numbers;
  numbers.reserve(candidates.size());
  for (const Candidate& one : candidates) numbers.push_back(static_cast<std::int64_t>(number_of(one)));
  std::ranges::sort(numbers);
  AKIN_TRY(std::vector<std::int64_t> left_out, missing_of(numbers));
  if (!request.exclude.empty()) {
    const std::vector<std::string_view> ids(request.exclude.begin(), request.exclude.end());
    AKIN_TRY(const Rows rows,
             run("SELECT doc FROM akin.documents_@ WHERE id = ANY($1)", Params().byte_strings(ids)));
    for (std::size_t row = 0; row < rows.size(); ++row) left_out.push_back(rows.number(row, 0));
    std::ranges::sort(left_out);
  }
  std::erase_if(candidates, [&](const Candidate& one) {
    return std::ranges::binary_search(left_out, static_cast<std::int64_t>(number_of(one)));
  });
  if (!request.accept) return {};
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
