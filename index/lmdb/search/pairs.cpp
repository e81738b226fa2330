#include "index/lmdb/search/pairs.h"

#include <optional>
#include <string>
#include <utility>

#include "index/lmdb/postings/list_stream.h"
#include "index/pairs/groups.h"
#include "index/pairs/named_pairs.h"

namespace akin {

namespace {

/// All documents in the order of their ids' bytes.
Result<std::vector<DocNumber>> documents_by_id(Reading reading, std::uint64_t limit) {
  std::vector<DocNumber> documents;
  AKIN_TRY(lmdb::Cursor cursor, reading.txn.cursor(reading.tables.ids));
  for (;;) {
    AKIN_TRY(const bool there, cursor.next());
    if (!there) return documents;
    const std::optional<DocNumber> number = decode_document_number(cursor.value());
    if (!number || static_cast<std::uint32_t>(*number) >= limit) {
      return corrupt("id '" + std::string(cursor.key()) + "'", "its document number was never given out");
    }
    documents.push_back(*number);
  }
}

}  // namespace

Result<PairsSummary> tell_pairs(Reading reading, const PairsRequest& request, const PairVisitor& visit) {
  AKIN_TRY(const LmdbListSource lists, LmdbListSource::make(reading.txn, reading.tables, request.tier));
  const RecordOf record_of = [&](DocNumber number) { return read_record(reading, number); };
  return find_named_pairs(lists, request, record_of, visit);
}

Result<GroupsSummary> tell_groups(Reading reading, const PairsRequest& request, const GroupVisitor& visit) {
  AKIN_TRY(const LmdbListSource lists, LmdbListSource::make(reading.txn, reading.tables, request.tier));
  const GroupNames names{[&] { return documents_by_id(reading, lists.document_limit()); },
                         [&](DocNumber document) -> Result<std::string> {
                           AKIN_TRY(DocumentRecord record, read_record(reading, document));
                           return std::move(record.id);
                         }};
  return find_groups(lists, request, names, visit);
}

}  // namespace akin
