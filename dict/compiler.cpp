#include "dict/compiler.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "dict/edge_cuts.h"
#include "dict/form_graph.h"
#include "dict/line_reader.h"
#include "dict/parallel.h"
#include "dict/supplement.h"
#include "dict/table_writer.h"

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
  run_parallel(input.sources.size(), [&](std::size_t i) {
    const SourceContent& source = input.sources[i];
    results[i].emplace(expand_source(source.names, source.aff, source.dic));
  });
  std::vector<ExpandedSource> expanded;
  for (auto& result : results) {
    if (result->has_error()) return std::move(*result).error();
    expanded.push_back(std::move(**result));
  }
  return expanded;
}

/// Texts of the table are addressed by 32 bits; a lemma is written once and may name a class besides.
bool fits(const FormGraph& graph) {
  std::uint64_t bytes = 0;
  for (const std::string& lemma : graph.lemmas) bytes += 2 * lemma.size();
  return bytes < std::numeric_limits<std::uint32_t>::max() / 4;
}

}  // namespace

Result<CompilerInput> read_input(std::vector<SourceContent> named, const SupplementChoice& chosen) {
  CompilerInput input;
  for (SourceContent& source : named) {
    AKIN_TRY(source.aff, read_whole_file(source.names.aff));
    AKIN_TRY(source.dic, read_whole_file(source.names.dic));
    DigestBuilder digest;
    digest.add(source.code);
    digest.add(source.aff);
    digest.add(source.dic);
    source.digest = digest.digest();
    input.by_place.push_back(source.digest);
  }
  for (const BuiltInSupplement& supplement : built_in_supplements()) {
    const bool wanted =
        chosen.shipped && std::any_of(named.begin(), named.end(),
                                      [&](const SourceContent& s) { return s.code == supplement.language; });
    if (!wanted) continue;
    input.supplements.push_back({"supplements/" + std::string(supplement.language) + ".txt",
                                 std::string(supplement.content), content_hash(supplement.content)});
  }
  for (const std::filesystem::path& path : chosen.files) {
    AKIN_TRY(std::string content, read_whole_file(path));
    const Digest digest = content_hash(content);
    input.supplements.push_back({path, std::move(content), digest});
  }
  input.sources = std::move(named);
  make_distinct(input.sources);
  make_distinct(input.supplements);
  return input;
}

Digest fingerprint_of(const CompilerInput& input) {
  DigestBuilder digest;
  digest.add(std::uint64_t{table_format::kCompilerVersion});
  digest.add(std::uint64_t{kHashVersion});
  digest.add(std::uint64_t{input.sources.size()});
  for (const SourceContent& source : input.sources) digest.add(source.digest);
  for (const SupplementContent& supplement : input.supplements) digest.add(supplement.digest);
  return digest.digest();
}

Result<std::vector<char>> compile_table(const CompilerInput& input, const Digest& fingerprint) {
  AKIN_TRY(std::vector<ExpandedSource> expanded, expand_all(input));
  std::vector<EdgeList> supplements;
  for (const SupplementContent& supplement : input.supplements) {
    AKIN_TRY(EdgeList edges, read_supplement(supplement.content, supplement.name));
    supplements.push_back(std::move(edges));
  }
  std::vector<table_format::Source> sources;
  std::u32string ignored;
  for (std::size_t i = 0; i < expanded.size(); ++i) {
    const ExpandedSource& source = expanded[i];
    sources.push_back({.content = input.sources[i].digest,
                       .cut_entries = source.cut_entries,
                       .depth = static_cast<std::uint32_t>(source.depth),
                       .compounds = source.compounds ? 1U : 0U});
    ignored += source.ignored;
  }
  std::sort(ignored.begin(), ignored.end());
  ignored.erase(std::unique(ignored.begin(), ignored.end()), ignored.end());

  cut_edges(expanded, supplements);
  const FormGraph graph = join_sources(std::move(expanded), std::move(supplements));
  if (!fits(graph)) {
    return Error{Errc::too_large, "the configured dictionaries", "their words are too many for one table",
                 "configure fewer languages"};
  }
  return write_table(graph, find_classes(graph), std::move(sources), ignored, fingerprint);
}

}  // namespace akin
