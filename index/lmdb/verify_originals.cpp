#include "index/lmdb/verify_originals.h"

#include <string>

#include "base/utf8.h"

namespace akin {

namespace {

void find_in_text(Reading reading, DocNumber number, const DocumentRecord& record,
                  const std::function<void(const Error&)>& found) {
  const Result<std::string> text = read_text(reading, number, record);
  if (text.has_error()) return found(text.error());
  const Result<void> valid = validate_utf8(*text, name_of(number));
  if (valid.has_error()) return found(corrupt(name_of(number), "its text is " + valid.error().reason));
  if (count_code_points(*text) != record.code_points)
    found(corrupt(name_of(number), "its text does not have as many code points as its record says"));
}

}  // namespace

void find_in_originals(Reading reading, DocNumber number, const DocumentRecord& record, bool texts,
                       const std::function<void(const Error&)>& found) {
  if (texts) find_in_text(reading, number, record, found);
  if (!keeps_file(record)) return;
  const Result<StoredFile> file = read_stored_file(reading, number, record);
  if (file.has_error()) found(file.error());
}

void count_stored_bytes(Reading reading, DocNumber number, Counters& counted) {
  const Result<std::uint64_t> text = read_stored_text_bytes(reading, number);
  if (!text.has_error()) counted.text_stored_bytes += *text;
  const Result<std::uint64_t> file = reading.txn.value_size(reading.tables.texts, file_key(number));
  if (!file.has_error()) counted.files->stored_bytes += *file;
}

}  // namespace akin
