// Whether the originals of a document, its text and its file, are what its record says.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "index/lmdb/documents/reading.h"

namespace akin {

/// Whether the record says that the document's file is kept.
[[nodiscard]] inline bool keeps_file(const DocumentRecord& record) noexcept {
  return record.file && record.file->kept_bytes > 0;
}

/// Whose file or words have a key in the table of files.
struct OriginalKey {
  static constexpr std::string_view kFile = "a file", kWords = "a list of words";
  DocNumber number{};
  std::string_view what;
};
/// Nothing for a key of another form.
[[nodiscard]] std::optional<OriginalKey> decode_original_key(std::string_view key);

/// Reports what is wrong with the text (whole frame, checksum, UTF-8, length in bytes and code points) and
/// the words that are kept of it (whether they can be read), if texts are kept, and with the file (length,
/// SHA-256), if it is kept.
void find_in_originals(Reading reading, DocNumber number, const DocumentRecord& record, bool texts,
                       const std::function<void(const Error&)>& found);

/// Adds the bytes that its text and its file take, as they are stored; `counted` has files. Those that cannot
/// be read were reported before.
void count_stored_bytes(Reading reading, DocNumber number, Counters& counted);

}  // namespace akin
