#include "index/reading.h"

#include "index/records.h"
#include "index/sequence_codec.h"
#include "index/text_codec.h"

namespace akin {

namespace {

Result<std::string_view> read_value(Reading reading, lmdb::Table table, DocNumber number,
                                    std::string_view what) {
  AKIN_TRY(const std::optional<std::string_view> bytes, reading.txn.get(table, document_key(number)));
  if (!bytes) return corrupt(name_of(number), "its " + std::string(what) + " is missing");
  return *bytes;
}

}  // namespace

Result<DocumentRecord> read_record(Reading reading, DocNumber number) {
  AKIN_TRY(const std::string_view bytes, read_value(reading, reading.tables.records, number, "record"));
  std::optional<DocumentRecord> record = decode_record(bytes);
  if (!record) return corrupt(name_of(number), "its record cannot be decoded");
  return std::move(*record);
}

Result<std::string> read_text(Reading reading, DocNumber number, const DocumentRecord& record) {
  AKIN_TRY(const std::string_view bytes, read_value(reading, reading.tables.texts, number, "text"));
  std::optional<std::string> text = decompress_text(bytes, record.text_bytes);
  if (!text)
    return corrupt(name_of(number), "its text cannot be decompressed to the length that its record tells");
  return std::move(*text);
}

Result<FeatureSequence> read_sequence(Reading reading, DocNumber number) {
  AKIN_TRY(const std::string_view bytes,
           read_value(reading, reading.tables.sequences, number, "feature sequence"));
  std::optional<FeatureSequence> sequence = decode_sequence(bytes);
  if (!sequence) return corrupt(name_of(number), "its feature sequence cannot be decoded");
  return std::move(*sequence);
}

Result<std::uint64_t> read_stored_text_bytes(Reading reading, DocNumber number) {
  AKIN_TRY(const std::string_view bytes, read_value(reading, reading.tables.texts, number, "text"));
  return std::uint64_t{bytes.size()};
}

}  // namespace akin
