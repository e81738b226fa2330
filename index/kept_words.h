// The words of long texts, which a store keeps beside them: to read them from the text again takes seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/packed_words.h"
#include "index/store.h"

namespace akin {

/// What a store keeps of the words of a long text. Thread-safe. Errors: as scan_text.
using EncodeWords = std::function<Result<std::string>(std::string_view text)>;

/// Words that were read with a dictionary, as bytes: its fingerprint with its synonyms, counted, and
/// PackedWords::encode.
[[nodiscard]] Result<std::string> encode_kept_words(const PackedWords& words, const Dictionary& dictionary);

/// The words of such bytes, of a text of `text_bytes` bytes; nothing if they are those of another dictionary.
/// Error: corrupt, naming `where`.
[[nodiscard]] Result<std::optional<PackedWords>> decode_kept_words(std::string_view kept,
                                                                   std::uint64_t text_bytes,
                                                                   const Dictionary& dictionary,
                                                                   const std::string& where);

/// The words that a snapshot's store keeps of a document's text; nothing if it keeps none, or those of
/// another dictionary. Errors: as Snapshot::kept_words and decode_kept_words.
[[nodiscard]] Result<std::optional<PackedWords>> kept_words_of(const Snapshot& snapshot,
                                                               const DocumentRecord& document,
                                                               const Dictionary& dictionary);

/// Whether such bytes can be decoded. Error: as decode_kept_words.
[[nodiscard]] Result<void> check_kept_words(std::string_view kept, std::uint64_t text_bytes,
                                            const std::string& where);

}  // namespace akin
