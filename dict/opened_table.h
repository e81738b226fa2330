// The table of a dictionary, from the cache or compiled, with the contents that it was compiled from.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/ask/run_time_dictionary.h"
#include "dict/compile/cache.h"
#include "dict/compile/packed_sources.h"
#include "dict/dictionary.h"
#include "dict/read/pair_finder.h"

namespace akin {

/// A table with the digests of its sources, by place, and their contents as one pack
/// (dict/compile/packed_sources.h).
struct OpenedTable {
  WordClassTable table;
  std::vector<Digest> sources;
  Digest fingerprint;
  std::shared_ptr<const std::string> packed;
};

/// The files of a dictionary, and what decides the hashes of unknown words.
struct Chosen {
  std::vector<FoundPair> pairs;
  std::vector<std::filesystem::path> supplements;  ///< the user's, or those of a pack
  std::vector<std::filesystem::path> synonyms;
  bool shipped_supplements = true;
  bool use_endings = true;
};

/// Dictionary::synonym_fingerprint of a table with this fingerprint. Without endings the table is the same,
/// but the hashes of unknown words are not.
[[nodiscard]] std::string fingerprint_text(const Digest& fingerprint, bool use_endings);

/// The fingerprints of the contents of a pack. Error: mismatch, if the akin that made the pack gave them
/// others; the reason names its version of the text rules if it was an earlier one.
[[nodiscard]] Result<TableFingerprint> fingerprints_of_pack(const DictionaryContent& content,
                                                            std::string_view packed);

/// Errors: those of Dictionary::open.
[[nodiscard]] Result<OpenedTable> open_table(const Chosen& chosen, const TableCache& cache);

/// The table of the contents of a pack. Errors: those of Dictionary::unpack.
[[nodiscard]] Result<OpenedTable> open_packed_table(const DictionaryContent& content,
                                                    std::shared_ptr<const std::string> packed,
                                                    const TableCache& cache);

/// The dictionary at place `place`, read from the pack: what was compiled counts, whatever has become of the
/// files. The parts of its compounds are kept in the cache.
[[nodiscard]] RunTimePair run_time_pair(const OpenedTable& opened, std::size_t place,
                                        const DictionarySource& source, const TableCache& cache);

[[nodiscard]] DictionaryStats make_stats(const Chosen& chosen, const OpenedTable& opened,
                                         const TableCache& cache);

}  // namespace akin
