#include "index/lmdb/tables/tables.h"

#include "index/codec/encoding.h"
#include "index/lmdb/env/format.h"

namespace akin {

const std::vector<lmdb::TableSpec>& table_specs() {
  static const std::vector<lmdb::TableSpec> specs = {
      {format::kMetaTable},          {format::kIdsTable, true},       {format::kRecordsTable, true},
      {format::kTextsTable, true},   {format::kFilesTable, true},     {format::kSequencesTable, true},
      {format::kRunsTable, true},    {format::kTombstoneTable, true}, {format::kRevisionsTable, true},
      {format::kChangesTable, true},
  };
  return specs;
}

Tables tables_of(const lmdb::Env& env) {
  const std::vector<lmdb::Table>& t = env.tables();
  return {.meta = t[0],
          .ids = t[1],
          .records = t[2],
          .texts = t[3],
          .files = t[4],
          .sequences = t[5],
          .runs = t[6],
          .tombstones = t[7],
          .revisions = t[8],
          .changes = t[9]};
}

std::string encode_format(std::uint32_t version) {
  std::string bytes(format::kMagic);
  append_u32(bytes, version);
  return bytes;
}

std::optional<std::uint32_t> decode_format(std::string_view bytes) {
  if (bytes.size() != format::kMagic.size() + 4 || !bytes.starts_with(format::kMagic)) return std::nullopt;
  return load_u32(bytes.data() + format::kMagic.size());
}

std::string encode_counters(const Counters& counters) {
  std::string bytes;
  for (std::uint64_t value : {counters.next_document, counters.documents, counters.features,
                              counters.postings, counters.tombstoned_postings, counters.text_bytes,
                              counters.text_stored_bytes, counters.last_revision.value}) {
    append_u64(bytes, value);
  }
  if (counters.files) {
    append_u64(bytes, counters.files->bytes);
    append_u64(bytes, counters.files->stored_bytes);
  }
  append_checksum(bytes);
  return bytes;
}

std::optional<Counters> decode_counters(std::string_view bytes) {
  const std::optional<std::string_view> body = without_checksum(bytes);
  if (!body) return std::nullopt;
  ByteReader reader(*body);
  Counters counters;
  counters.next_document = reader.u64();
  counters.documents = reader.u64();
  counters.features = reader.u64();
  counters.postings = reader.u64();
  counters.tombstoned_postings = reader.u64();
  counters.text_bytes = reader.u64();
  counters.text_stored_bytes = reader.u64();
  counters.last_revision = Revision(reader.u64());
  if (!reader.finished()) {
    FileSizes& files = counters.files.emplace();
    files.bytes = reader.u64();
    files.stored_bytes = reader.u64();
  }
  return reader.finished() ? std::optional(counters) : std::nullopt;
}

Result<Counters> read_counters(const lmdb::Txn& txn, const Tables& tables) {
  AKIN_TRY(const std::optional<std::string_view> bytes, txn.get(tables.meta, format::kCountersEntry));
  if (!bytes) return corrupt("meta 'counters'", "the entry is missing");
  const std::optional<Counters> counters = decode_counters(*bytes);
  if (!counters)
    return corrupt("meta 'counters'", "the entry is not eight or ten numbers with their checksum");
  return *counters;
}

std::string document_key(DocNumber number) {
  std::string key;
  append_u32_big_endian(key, static_cast<std::uint32_t>(number));
  return key;
}

std::optional<DocNumber> decode_document_key(std::string_view key) {
  if (key.size() != 4) return std::nullopt;
  return DocNumber{load_u32_big_endian(key.data())};
}

std::string words_key(DocNumber number) { return document_key(number) + format::kWordsKey; }

std::optional<DocNumber> decode_words_key(std::string_view key) {
  if (!key.ends_with(format::kWordsKey)) return std::nullopt;
  return decode_document_key(key.substr(0, key.size() - 1));
}

std::string encode_document_number(DocNumber number) {
  std::string value;
  append_u32(value, static_cast<std::uint32_t>(number));
  return value;
}

std::optional<DocNumber> decode_document_number(std::string_view value) {
  if (value.size() != 4) return std::nullopt;
  return DocNumber{load_u32(value.data())};
}

std::string revision_key(Revision revision) {
  std::string key;
  append_u64_big_endian(key, revision.value);
  return key;
}

Result<std::optional<DocNumber>> find_number(const lmdb::Txn& txn, const Tables& tables,
                                             std::string_view id) {
  AKIN_TRY(const std::optional<std::string_view> value, txn.get(tables.ids, id));
  if (!value) return std::optional<DocNumber>();
  const std::optional<DocNumber> number = decode_document_number(*value);
  if (!number) return corrupt("id '" + std::string(id) + "'", "its document number does not have 4 bytes");
  return number;
}

}  // namespace akin
