// From file contents to the bytes of a compiled table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "dict/compile/table_writer.h"
#include "dict/read/source.h"
#include "dict/table/content_hash.h"
#include "dict/table/format.h"

namespace akin {

/// The contents of a pair's files.
struct SourceContent {
  std::string code;  ///< language without region
  DictionaryPair names;
  std::string aff, dic;
  Digest digest;  ///< of code, aff and dic
};

/// SourceContent::digest.
[[nodiscard]] Digest digest_of(const SourceContent& source) noexcept;

/// A supplement or a file of synonyms.
struct SupplementContent {
  std::filesystem::path name;
  std::string content;
  Digest digest;
};

/// The sources, the supplements that ship for their languages, and the user's.
struct CompilerInput {
  std::vector<SourceContent> sources;          ///< distinct, in order of their digests
  std::vector<SupplementContent> supplements;  ///< distinct, in order of their digests
  std::vector<SupplementContent> synonyms;     ///< distinct, in order of their digests
  std::vector<Digest> by_place;                ///< digests of the sources, in the order given
};

struct SupplementChoice {
  std::span<const std::filesystem::path> files;  ///< the user's
  bool shipped = true;
  std::span<const std::filesystem::path> synonyms;  ///< thesauri and the user's files
};

/// Reads the files, adds the built-in supplements of the languages, removes duplicates and sorts. Errors:
/// not_found, io, too_large.
[[nodiscard]] Result<CompilerInput> read_input(std::vector<SourceContent> named,
                                               const SupplementChoice& chosen);

/// The versions of an akin that decide what it makes of contents.
struct RuleVersions {
  std::uint64_t compiler = table_format::kCompilerVersion;
  std::uint64_t text_rules = kHashVersion;
};

/// `words` covers everything that decides the hash of a word (Dictionary::fingerprint), `all` the synonyms
/// too.
[[nodiscard]] TableFingerprint fingerprint_of(const CompilerInput& input, const RuleVersions& versions = {});

/// Error: bad_dictionary, too_large.
[[nodiscard]] Result<std::vector<char>> compile_table(const CompilerInput& input,
                                                      const TableFingerprint& fingerprint);

}  // namespace akin
