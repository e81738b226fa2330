// What a store keeps of the words of texts, so that a search need not read the texts: of those of at most
// kLongText bytes a code for each word (codec/word_codes.h), of longer ones the words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/codec/packed_words.h"
#include "index/store/store.h"

namespace akin {

/// Words as bytes: the fingerprint of the dictionary with its synonyms, counted, then PackedWords::encode.
[[nodiscard]] Result<std::string> encode_kept_words(const PackedWords& words, const Dictionary& dictionary);

/// Decodes the words of a text of `text_bytes` bytes; nothing if they were read with another dictionary.
/// Error: corrupt, naming `where`.
[[nodiscard]] Result<std::optional<PackedWords>> decode_kept_words(std::string_view kept,
                                                                   std::uint64_t text_bytes,
                                                                   const Dictionary& dictionary,
                                                                   const std::string& where);

/// The words that a snapshot's store keeps of a document's text; nothing if it keeps none, or those of
/// another dictionary. Errors: as Snapshot::kept_words and decode_kept_words.
[[nodiscard]] Result<std::optional<PackedWords>> kept_words_of(const Snapshot& snapshot,
                                                               const StoredDocument& document,
                                                               const Dictionary& dictionary);

/// Checks what is kept of the words of a text of `text_bytes` bytes: that words can be decoded, and that
/// codes are not more than the text has bytes. Error: corrupt, naming `where`.
[[nodiscard]] Result<void> check_kept_words(std::string_view kept, std::uint64_t text_bytes,
                                            const std::string& where);

}  // namespace akin
