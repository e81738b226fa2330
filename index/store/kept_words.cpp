#include "index/store/kept_words.h"

#include <utility>

#include "index/codec/encoding.h"
#include "index/codec/posting.h"
#include "index/codec/stored_text.h"
#include "index/codec/word_codes.h"

namespace akin {

namespace {

/// The words after the fingerprint.
Result<std::optional<PackedWords>> decode(const ByteReader& reader, std::uint64_t text_bytes,
                                          const std::string& where) {
  std::optional<PackedWords> words;
  if (reader.ok()) words = PackedWords::decode(reader.rest(), text_bytes);
  if (!words) return corrupt(where, "the words that are kept of its text cannot be decoded");
  return words;
}

}  // namespace

Result<std::string> encode_kept_words(const PackedWords& words, const Dictionary& dictionary) {
  AKIN_TRY(const std::string encoded, words.encode());
  std::string kept;
  append_counted(kept, dictionary.synonym_fingerprint());
  return kept + encoded;
}

Result<std::optional<PackedWords>> decode_kept_words(std::string_view kept, std::uint64_t text_bytes,
                                                     const Dictionary& dictionary, const std::string& where) {
  ByteReader reader(kept);
  const std::string_view fingerprint = reader.counted();
  if (reader.ok() && fingerprint != dictionary.synonym_fingerprint()) return std::optional<PackedWords>();
  return decode(reader, text_bytes, where);
}

Result<std::optional<PackedWords>> kept_words_of(const Snapshot& snapshot, const StoredDocument& document,
                                                 const Dictionary& dictionary) {
  if (document.text_bytes <= kLongText) return std::optional<PackedWords>();
  std::optional<PackedWords> words;
  AKIN_CHECK(snapshot.kept_words(document, [&](std::string_view kept) -> Result<void> {
    AKIN_TRY(words,
             decode_kept_words(kept, document.text_bytes, dictionary, "document '" + document.id + "'"));
    return {};
  }));
  return words;
}

Result<void> check_kept_words(std::string_view kept, std::uint64_t text_bytes, const std::string& where) {
  if (text_bytes <= kLongText) {
    const bool fits = kept.size() >= kChecksumBytes && kept.size() <= kChecksumBytes + text_bytes;
    return fits ? Result<void>() : corrupt(where, "its text cannot have so many words as it has codes for");
  }
  ByteReader reader(kept);
  static_cast<void>(reader.counted());
  AKIN_CHECK(decode(reader, text_bytes, where));
  return {};
}

}  // namespace akin
