#include "dict/opened_table.h"

#include <utility>

#include "dict/ask/compounds/part_finder.h"
#include "dict/read/dictionary_forms.h"
#include "dict/read/supplement.h"

namespace akin {
namespace {

namespace fs = std::filesystem;

/// Names the stamp of a configuration, and lists the files whose states decide whether it is still valid.
struct StampKey {
  Digest name;
  std::vector<fs::path> files;
};

StampKey stamp_key(const std::vector<FoundPair>& pairs, const SupplementChoice& supplements) {
  StampKey key;
  for (const FoundPair& pair : pairs) {
    key.files.push_back(pair.files.aff);
    key.files.push_back(pair.files.dic);
  }
  key.files.insert(key.files.end(), supplements.files.begin(), supplements.files.end());
  key.files.insert(key.files.end(), supplements.synonyms.begin(), supplements.synonyms.end());
  DigestBuilder name;
  name.add(std::uint64_t{table_format::kCompilerVersion});
  name.add(std::uint64_t{supplements.synonyms.size()});
  for (const fs::path& file : key.files) {
    std::error_code status;
    const fs::path absolute = fs::absolute(file, status);
    name.add((status ? file : absolute).string());
  }
  // Another build of akin may ship other supplements.
  if (supplements.shipped) {
    for (const BuiltInList& supplement : built_in_supplements()) name.add(supplement.content);
  }
  key.name = name.digest();
  return key;
}

/// The table of these contents, from the cache or compiled.
Result<WordClassTable> open_or_compile(const CompilerInput& input, const TableCache& cache) {
  const TableFingerprint fingerprints = fingerprint_of(input);
  if (auto table = cache.open_checked(fingerprints.all)) return std::move(*table);
  AKIN_TRY(std::vector<char> image, compile_table(input, fingerprints));
  if (auto table = cache.publish(fingerprints.all, image)) return std::move(*table);
  return WordClassTable::keep(std::move(image));
}

/// Records that the table in the cache is intact and belongs to these files.
void write_stamp(const TableCache& cache, const Digest& name, Stamp stamp) {
  const fs::path file = cache.table_path(stamp.fingerprint);
  const auto state = file_states({&file, 1});
  if (!state) return;
  stamp.table = state->digest;
  cache.write_stamp(name, stamp);
}

/// One of the dictionaries in a pack.
std::optional<SourceContent> content_of(std::string_view packed, const Digest& source) {
  auto content = unpack_sources(packed);
  if (!content) return std::nullopt;
  for (SourceContent& one : content->input.sources)
    if (one.digest == source) return std::move(one);
  return std::nullopt;
}

CompoundParts read_or_find_parts(std::string_view packed, const Digest& source, const TableCache& cache,
                                 const WordClassTable& table) {
  DigestBuilder builder;
  builder.add("parts of compounds");
  builder.add(std::uint64_t{kPartsVersion});
  builder.add(table.header().words_fingerprint);
  builder.add(source);
  const Digest name = builder.digest();
  if (const auto bytes = cache.read_parts(name))
    if (auto parts = CompoundParts::unpack(*bytes, name)) return std::move(*parts);
  const auto content = content_of(packed, source);
  if (!content) return {};
  const auto forms = DictionaryForms::read(content->names, content->aff, content->dic);
  if (!forms) return {};
  CompoundParts parts = find_parts(*forms, table);
  cache.write_parts(name, parts.pack(name));
  return parts;
}

/// How the akin whose pack states this fingerprint for its contents differs from this one.
std::string difference_of_maker(const DictionaryContent& content, std::string_view stated) {
  constexpr RuleVersions kOwn;
  for (RuleVersions maker; maker.text_rules > 0; --maker.text_rules) {
    for (maker.compiler = kOwn.compiler; maker.compiler > 0; --maker.compiler) {
      if (fingerprint_text(fingerprint_of(content.input, maker).all, content.use_endings) != stated) continue;
      const bool rules = maker.text_rules != kOwn.text_rules;
      return "it was made with version " + std::to_string(rules ? maker.text_rules : maker.compiler) +
             (rules ? " of the text rules" : " of the tables of words") + ", and this akin has version " +
             std::to_string(rules ? kOwn.text_rules : kOwn.compiler);
    }
  }
  return "it was made by an akin with other text rules";
}

}  // namespace

RunTimePair run_time_pair(const OpenedTable& opened, std::size_t place, const DictionarySource& source,
                          const TableCache& cache) {
  const Digest digest = opened.sources[place];
  RunTimePair pair;
  pair.scripts = source.scripts;
  pair.read = [packed = opened.packed, digest]() -> std::optional<HunspellContent> {
    auto content = content_of(*packed, digest);
    if (!content) return std::nullopt;
    return HunspellContent{std::move(content->aff), std::move(content->dic)};
  };
  // A dictionary that is not expanded completely has words that are neither in the table nor compounds.
  if (source.cut_entries == 0) {
    pair.parts = [packed = opened.packed, digest, cache](const WordClassTable& table) {
      return read_or_find_parts(*packed, digest, cache, table);
    };
  }
  return pair;
}

std::string fingerprint_text(const Digest& fingerprint, bool use_endings) {
  if (use_endings) return to_hex(fingerprint);
  DigestBuilder digest;
  digest.add(fingerprint);
  digest.add("without endings");
  return to_hex(digest.digest());
}

Result<OpenedTable> open_table(const Chosen& chosen, const TableCache& cache) {
  const SupplementChoice supplements{chosen.supplements, chosen.shipped_supplements, chosen.synonyms};
  const StampKey key = stamp_key(chosen.pairs, supplements);
  const auto states = file_states(key.files);
  const auto stamp = cache.read_stamp(key.name);
  if (states && stamp && stamp->files == states->digest && stamp->sources.size() == chosen.pairs.size()) {
    auto table = cache.open_stamped(*stamp);
    auto packed = cache.read_sources(fingerprint_text(stamp->fingerprint, chosen.use_endings));
    if (table && packed) {
      return OpenedTable{std::move(*table), stamp->sources, stamp->fingerprint,
                         std::make_shared<const std::string>(std::move(*packed))};
    }
  }

  std::vector<SourceContent> named;
  named.reserve(chosen.pairs.size());
  for (const FoundPair& pair : chosen.pairs) named.push_back({pair.code, pair.files, {}, {}, {}});
  AKIN_TRY(CompilerInput input, read_input(std::move(named), supplements));
  AKIN_TRY(WordClassTable table, open_or_compile(input, cache));
  const Digest fingerprint = table.header().fingerprint;
  std::vector<Digest> sources = input.by_place;
  const std::string name = fingerprint_text(fingerprint, chosen.use_endings);
  auto packed = cache.read_sources(name);
  if (!packed) {
    AKIN_TRY(packed, pack_sources({std::move(input), chosen.use_endings}, name));
    cache.write_sources(name, *packed);
  }
  if (states && states->settled) {
    write_stamp(cache, key.name,
                {.files = states->digest, .fingerprint = fingerprint, .table = {}, .sources = sources});
  }
  return OpenedTable{std::move(table), std::move(sources), fingerprint,
                     std::make_shared<const std::string>(std::move(*packed))};
}

Result<TableFingerprint> fingerprints_of_pack(const DictionaryContent& content, std::string_view packed) {
  const TableFingerprint fingerprints = fingerprint_of(content.input);
  const std::string_view stated = packed_fingerprint(packed);
  if (fingerprint_text(fingerprints.all, content.use_endings) == stated) return fingerprints;
  return Error{Errc::mismatch, "packed dictionary", difference_of_maker(content, stated), ""};
}

Result<OpenedTable> open_packed_table(const DictionaryContent& content,
                                      std::shared_ptr<const std::string> packed, const TableCache& cache) {
  AKIN_TRY(const TableFingerprint fingerprints, fingerprints_of_pack(content, *packed));
  const Digest fingerprint = fingerprints.all;
  // The contents decide everything, so they are in the place of the files' states.
  DigestBuilder name;
  name.add("packed");
  name.add(fingerprint);
  const Digest stamp_name = name.digest();
  if (const auto stamp = cache.read_stamp(stamp_name); stamp && stamp->fingerprint == fingerprint) {
    if (auto table = cache.open_stamped(*stamp))
      return OpenedTable{std::move(*table), content.input.by_place, fingerprint, std::move(packed)};
  }
  AKIN_TRY(WordClassTable table, open_or_compile(content.input, cache));
  write_stamp(cache, stamp_name,
              {.files = fingerprint, .fingerprint = fingerprint, .table = {}, .sources = {fingerprint}});
  return OpenedTable{std::move(table), content.input.by_place, fingerprint, std::move(packed)};
}

DictionaryStats make_stats(const Chosen& chosen, const OpenedTable& opened, const TableCache& cache) {
  DictionaryStats stats;
  const std::vector<FoundPair>& pairs = chosen.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    DictionarySource source;
    source.language = pairs[i].configured;
    source.aff = pairs[i].files.aff;
    source.dic = pairs[i].files.dic;
    source.supplements = chosen.supplements;
    for (const table_format::Source& known : opened.table.sources()) {
      if (known.content != opened.sources[i]) continue;
      source.lemmas = known.lemmas;
      source.forms = known.forms;
      source.scripts = static_cast<std::uint8_t>(known.scripts);
      source.compounds = known.compounds != 0;
      source.cut_entries = known.cut_entries;
    }
    stats.sources.push_back(std::move(source));
  }
  const table_format::Header& header = opened.table.header();
  stats.lemmas = header.lemmas.count;
  stats.forms = header.forms;
  stats.classes = header.classes.count;
  stats.largest_class_forms = header.largest_class_forms;
  stats.largest_class = opened.table.class_name(static_cast<std::uint32_t>(header.largest_class));
  stats.synonyms.files = chosen.synonyms;
  stats.synonyms.groups = header.synonym_groups;
  stats.synonyms.classes = header.synonym_classes;
  stats.synonyms.largest = header.largest_synonym_group;
  stats.synonyms.unknown = header.unknown_synonyms;
  stats.table_bytes = header.file_bytes;
  stats.cache_file = cache.table_path(opened.fingerprint).string();
  return stats;
}

}  // namespace akin
