#include "index/opensearch/documents/record_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "index/opensearch/documents/overlap_search.h"
#include "index/store/records.h"

namespace akin::opensearch {

Result<StoredDocument> RecordReader::document_of(const Json& hit) const {
  AKIN_TRY(const std::int64_t number, number_in(hit, "number"));
  AKIN_TRY(const std::string encoded, text_in(hit, "sizes"));
  AKIN_TRY(const Sizes sizes, Sizes::decoded(encoded));
  parts_.note(number, sizes);
  AKIN_TRY(const std::string bytes, bytes_in(hit, "record"));
  auto record = decode_record(bytes);
  if (!record) return corrupt(name_of_document(number), "its record cannot be decoded");
  return StoredDocument{*std::move(record), static_cast<std::uint64_t>(number)};
}

Result<std::vector<StoredDocument>> RecordReader::find(Json body, std::size_t limit) const {
  std::vector<StoredDocument> found;
  body["docvalue_fields"] = kRecordFields;
  body["track_total_hits"] = false;
  while (found.size() < limit) {
    const std::size_t size = std::min(kRecordsAtOnce, limit - found.size());
    body["size"] = size;
    AKIN_TRY(const Json answer, view_.search(body));
    const Json& hits = hits_of(answer);
    for (const Json& hit : hits) {
      AKIN_TRY(StoredDocument document, document_of(hit));
      found.push_back(std::move(document));
    }
    if (hits.size() < size || !hits.back().contains("sort")) break;
    body["search_after"] = hits.back().at("sort");
  }
  return found;
}

}  // namespace akin::opensearch
