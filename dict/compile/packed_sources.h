// A set of dictionaries as one string of bytes: the contents of all files that a table is compiled from.
// Compiling them again gives the same classes, on any machine, whatever has become of the files.
//
//     "AKINDICS", u32 version of this format, 32 hex digits of the fingerprint, u64 bytes of the contents,
//     the contents as a zstd frame, u64 content_hash of everything before
//
// The contents are a byte with the flags and three lists (sources, supplements, synonyms), each after the
// number of its entries (u64): code, name and content of the .aff file, name and content of the .dic file;
// name and content; name and content. Each string follows its length (u64). Numbers are little-endian.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "dict/compile/compiler.h"

namespace akin {

/// What Dictionary::open compiles, and the settings that decide the hashes of unknown words.
struct DictionaryContent {
  CompilerInput input;
  bool use_endings = true;  ///< DictionaryConfig::use_endings
};

/// `fingerprint`: Dictionary::synonym_fingerprint. Error: internal (zstd).
[[nodiscard]] Result<std::string> pack_sources(const DictionaryContent& content,
                                               std::string_view fingerprint);

/// The fingerprint stated by a pack; empty for other bytes, and for a damaged pack.
[[nodiscard]] std::string_view packed_fingerprint(std::string_view packed) noexcept;

/// The contents of a pack. Takes any bytes. Errors: corrupt; mismatch (a later akin's).
[[nodiscard]] Result<DictionaryContent> unpack_sources(std::string_view packed);

}  // namespace akin
