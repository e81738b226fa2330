#include "index/lmdb/search/pairs.h"

#include <optional>
#include <string>
#include <utility>

#include "index/lmdb/postings/posting_lists.h"
#include "index/lmdb/postings/posting_stream.h"
#include "index/lmdb/postings/tombstones.h"
#include "index/pairs/groups.h"
#include "index/pairs/long_lists.h"
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

/// The documents of a list that are not tombstoned.
Result<std::uint64_t> count_living(PostingLists& lists, const ListRef& list, const Tombstones& tombstones) {
  std::uint64_t living = 0;
  AKIN_CHECK(lists.for_each(list, [&](DocNumber document, std::uint32_t) {
    if (!tombstones.contains(document)) ++living;
  }));
  return living;
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

Result<std::vector<Feature>> find_common(Reading reading, LookUps& look_ups,
                                         std::span<const Feature> features, std::uint64_t limit) {
  AKIN_TRY(const Counters counters, read_counters(reading.txn, reading.tables));
  if (counters.documents <= limit) return std::vector<Feature>();
  AKIN_TRY(const auto found, look_ups.find(reading.txn, reading.tables, features));
  AKIN_TRY(const std::uint64_t tombstoned, reading.txn.entries(reading.tables.tombstones));
  std::optional<Tombstones> tombstones;
  std::vector<Feature> common;
  for (const ListRef& list : found->refs) {
    if (list.size <= limit) continue;
    if (list.size - limit <= tombstoned) {
      if (!tombstones) {
        AKIN_TRY(tombstones, Tombstones::read(reading.txn, reading.tables));
      }
      AKIN_TRY(const std::uint64_t living, count_living(found->lists, list, *tombstones));
      if (living <= limit) continue;
    }
    common.push_back(list.feature);
  }
  return common;
}

Result<std::vector<CommonFeature>> list_most_common(Reading reading, std::size_t count,
                                                    std::optional<std::size_t> tier) {
  AKIN_TRY(const LmdbListSource lists, LmdbListSource::make(reading.txn, reading.tables, tier));
  AKIN_TRY(const std::vector<LongList> longest, longest_lists(lists, count));
  std::vector<CommonFeature> common;
  for (const LongList& list : longest) {
    AKIN_TRY(DocumentRecord record, read_record(reading, list.first));
    common.push_back({list.feature, list.documents, std::move(record.id)});
  }
  return common;
}

}  // namespace akin
