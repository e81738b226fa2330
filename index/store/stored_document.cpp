#include "index/store/stored_document.h"

#include <utility>

#include "index/codec/posting.h"
#include "index/codec/sequence_codec.h"
#include "index/store/records.h"

namespace akin {

std::string name_of_document(std::int64_t number) { return "document " + std::to_string(number); }

Result<DocumentRecord> record_of(std::string_view bytes, std::int64_t number) {
  auto record = decode_record(bytes);
  if (!record) return corrupt(name_of_document(number), "its record cannot be decoded");
  return *std::move(record);
}

Result<StoredSequence> sequence_of(std::string_view bytes, std::int64_t number) {
  auto stored = decode_sequence(bytes);
  if (!stored) return corrupt(name_of_document(number), "its feature sequence cannot be decoded");
  return *std::move(stored);
}

Result<StoredFile> file_of(std::string_view stored, const DocumentRecord& record, std::int64_t number) {
  return decode_file(stored, record.file->kept_bytes, record.file->sha256, name_of_document(number));
}

}  // namespace akin
