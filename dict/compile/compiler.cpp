#include "dict/compile/compiler.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "dict/compile/edge_cuts.h"
#include "dict/compile/form_graph.h"
#include "dict/compile/synonyms.h"
#include "dict/read/dictionary_lines.h"
#include "dict/read/form_folder.h"
#include "dict/read/supplement.h"
#include "dict/stem/snowball.h"

namespace akin {
namespace {

template <class T>
void make_distinct(std::vector<T>& items) {
  std::sort(items.begin(), items.end(), [](const T& a, const T& b) { return a.digest < b.digest; });
  items.erase(
      std::unique(items.begin(), items.end(), [](const T& a, const T& b) { return a.digest == b.digest; }),
      items.end());
}

Result<std::vector<ExpandedSource>> expand_all(const CompilerInput& input) {
  std::vector<std::optional<Result<ExpandedSource>>> results(input.sources.size());
  for_each_index(input.sources.size(), [&](std::size_t i) {
    const SourceContent& source = input.sources[i];
    results[i].emplace(expand_source(source.names, source.code, source.aff, source.dic));
  });
  std::vector<ExpandedSource> expanded;
  for (auto& result : results) {
    if (result->has_error()) return std::move(*result).error();
    expanded.push_back(std::move(**result));
  }
  return expanded;
}

Result<void> read_files(std::span<const std::filesystem::path> paths, std::vector<SupplementContent>& out) {
  for (const std::filesystem::path& path : paths) {
    AKIN_TRY(std::string content, read_whole_file(path, kMaxDictionaryBytes));
    const Digest digest = content_hash(content);
    out.push_back({path, std::move(content), digest});
  }
  return {};
}

/// Keys of the supplements' lemmas.
std::vector<std::uint64_t> lemma_keys(const std::vector<EdgeList>& supplements) {
  std::vector<std::uint64_t> keys;
  FormFolder folder;
  for (const EdgeList& list : supplements) {
    for (const std::string& lemma : list.lemmas) keys.push_back(folder.fold_spelling(lemma).key);
  }
  return keys;
}

/// The results of read(content, name) for each file.
template <class T>
Result<std::vector<T>> read_contents(const std::vector<SupplementContent>& files,
                                     Result<T> (*read)(std::string_view, const std::filesystem::path&)) {
  std::vector<T> out;
  for (const SupplementContent& file : files) {
    AKIN_TRY(T made, read(file.content, file.name));
    out.push_back(std::move(made));
  }
  return out;
}

/// Takes what the table keeps of the sources besides their words.
TableExtras take_extras(const CompilerInput& input, std::vector<ExpandedSource>& expanded) {
  TableExtras extras;
  std::vector<Paradigms> paradigms;
  for (std::size_t i = 0; i < expanded.size(); ++i) {
    ExpandedSource& source = expanded[i];
    extras.sources.push_back({.content = input.sources[i].digest,
                              .cut_entries = source.cut_entries,
                              .depth = static_cast<std::uint16_t>(source.depth),
                              .scripts = source.scripts,
                              .compounds = source.compounds ? 1U : 0U});
    extras.ignored += source.ignored;
    if (teaches_endings(input.sources[i].code)) paradigms.push_back(std::move(source.paradigms));
  }
  std::sort(extras.ignored.begin(), extras.ignored.end());
  extras.ignored.erase(std::unique(extras.ignored.begin(), extras.ignored.end()), extras.ignored.end());
  extras.endings = learn_endings(paradigms);
  return extras;
}

/// The table addresses its texts by 32 bits; a lemma is written once and may also name a class.
bool fits(const FormGraph& graph) {
  std::uint64_t bytes = 0;
  for (const std::string& lemma : graph.lemmas) bytes += 2 * lemma.size();
  return bytes < std::numeric_limits<std::uint32_t>::max() / 4;
}

}  // namespace

Digest digest_of(const SourceContent& source) noexcept {
  DigestBuilder digest;
  digest.add(source.code);
  digest.add(source.aff);
  digest.add(source.dic);
  return digest.digest();
}

Result<CompilerInput> read_input(std::vector<SourceContent> named, const SupplementChoice& chosen) {
  CompilerInput input;
  for (SourceContent& source : named) {
    AKIN_TRY(source.aff, read_whole_file(source.names.aff, kMaxDictionaryBytes));
    AKIN_TRY(source.dic, read_whole_file(source.names.dic, kMaxDictionaryBytes));
    source.digest = digest_of(source);
    input.by_place.push_back(source.digest);
  }
  for (const BuiltInList& supplement : built_in_supplements()) {
    const bool wanted =
        chosen.shipped && std::any_of(named.begin(), named.end(),
                                      [&](const SourceContent& s) { return s.code == supplement.name; });
    if (!wanted) continue;
    input.supplements.push_back({"supplements/" + std::string(supplement.name) + ".txt",
                                 std::string(supplement.content), content_hash(supplement.content)});
  }
  AKIN_CHECK(read_files(chosen.files, input.supplements));
  AKIN_CHECK(read_files(chosen.synonyms, input.synonyms));
  input.sources = std::move(named);
  make_distinct(input.sources);
  make_distinct(input.supplements);
  make_distinct(input.synonyms);
  return input;
}

TableFingerprint fingerprint_of(const CompilerInput& input, const RuleVersions& versions) {
  DigestBuilder digest;
  digest.add(versions.compiler);
  digest.add(versions.text_rules);
  digest.add(std::uint64_t{input.sources.size()});
  for (const SourceContent& source : input.sources) digest.add(source.digest);
  for (const SupplementContent& supplement : input.supplements) digest.add(supplement.digest);
  const Digest words = digest.digest();
  if (input.synonyms.empty()) return {words, words};
  DigestBuilder all;
  all.add(words);
  for (const SupplementContent& synonyms : input.synonyms) all.add(synonyms.digest);
  return {all.digest(), words};
}

Result<std::vector<char>> compile_table(const CompilerInput& input, const TableFingerprint& fingerprint) {
  AKIN_TRY(std::vector<ExpandedSource> expanded, expand_all(input));
  AKIN_TRY(std::vector<EdgeList> supplements, read_contents(input.supplements, read_supplement));
  AKIN_TRY(const std::vector<SynonymLists> synonyms, read_contents(input.synonyms, read_synonyms));
  TableExtras extras = take_extras(input, expanded);
  extras.fingerprint = fingerprint;

  const std::vector<std::uint64_t> common = lemma_keys(supplements);
  cut_edges(expanded, supplements);
  FormGraph graph = join_sources(std::move(expanded), std::move(supplements));
  if (!fits(graph)) {
    return Error{Errc::too_large, "the configured dictionaries", "their words are too many for one table",
                 "configure fewer languages"};
  }
  const LemmaClasses classes = find_classes(graph);
  if (!synonyms.empty()) extras.synonyms = join_synonyms(classes, graph, synonyms, common);
  return write_table(graph, classes, std::move(extras));
}

}  // namespace akin
