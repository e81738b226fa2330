#include "index/lmdb/documents/verify_originals.h"

#include <string>

#include "index/store/document_check.h"
#include "index/store/kept_words.h"

namespace akin {

namespace {

void find_in_text(Reading reading, DocNumber number, const DocumentRecord& record,
                  const std::function<void(const Error&)>& found) {
  const Result<std::string> text = read_text(reading, number, record);
  if (text.has_error()) return found(text.error());
  check_text(*text, record, [&](std::string broken) { found(corrupt(name_of(number), std::move(broken))); });
}

void find_in_kept_words(Reading reading, DocNumber number, const DocumentRecord& record,
                        const std::function<void(const Error&)>& found) {
  const Result<std::optional<std::string_view>> kept = read_kept_words(reading, number);
  if (kept.has_error()) return found(kept.error());
  if (!*kept) return;
  const Result<void> valid = check_kept_words(**kept, record.text_bytes, name_of(number));
  if (valid.has_error()) found(valid.error());
}

}  // namespace

std::optional<OriginalKey> decode_original_key(std::string_view key) {
  if (const auto number = decode_document_key(key)) return OriginalKey{*number, OriginalKey::kFile};
  if (const auto number = decode_words_key(key)) return OriginalKey{*number, OriginalKey::kWords};
  return std::nullopt;
}

void find_in_originals(Reading reading, DocNumber number, const DocumentRecord& record, bool texts,
                       const std::function<void(const Error&)>& found) {
  if (texts) {
    find_in_text(reading, number, record, found);
    find_in_kept_words(reading, number, record, found);
  }
  if (!keeps_file(record)) return;
  const Result<StoredFile> file = read_stored_file(reading, number, record);
  if (file.has_error()) found(file.error());
}

void count_stored_bytes(Reading reading, DocNumber number, Counters& counted) {
  const Result<std::uint64_t> text = read_stored_text_bytes(reading, number);
  if (!text.has_error()) counted.text_stored_bytes += *text;
  const Result<std::uint64_t> file = reading.txn.value_size(reading.tables.files, document_key(number));
  if (!file.has_error()) counted.files->stored_bytes += *file;
}

}  // namespace akin
