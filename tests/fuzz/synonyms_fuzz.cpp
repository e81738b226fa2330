// Any bytes as a file of synonyms: it is read or refused, and synonyms that are read are joined within their
// bounds. The dictionary for joining is made from the input's own words.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "dict/compile/synonyms.h"

namespace {

/// Words of the input that are lemmas: more would only repeat what a few show.
constexpr std::size_t kLemmas = 64;

akin::FormGraph graph_of(std::string_view bytes) {
  std::set<std::string> words;
  while (!bytes.empty() && words.size() < kLemmas) {
    const std::size_t end = std::min(bytes.find_first_of(" \t\r\n|()#"), bytes.size());
    const std::string_view word = bytes.substr(0, end);
    if (!word.empty() && akin::validate_utf8(word, "word")) words.emplace(word);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  akin::FormGraph graph;
  graph.lemmas.assign(words.begin(), words.end());
  return graph;
}

/// Groups have two classes or more, no class is in two, and each is called by the name that precedes.
void check(const akin::JoinedSynonyms& joined, const akin::LemmaClasses& classes, bool thesaurus) {
  std::set<std::uint32_t> seen;
  for (const auto& group : joined.groups) {
    if (group.size() < 2 || (thesaurus && group.size() > akin::kMaxSynonyms)) std::abort();
    for (const std::uint32_t member : group) {
      if (member >= classes.classes.size() || !seen.insert(member).second) std::abort();
      if (akin::precedes(classes.classes[member].name, classes.classes[group.front()].name)) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  const auto read = akin::read_synonyms(content, "fuzz.dat");
  if (!read) return 0;
  akin::FormGraph graph = graph_of(content);
  const akin::LemmaClasses classes = akin::find_classes(graph);
  check(akin::join_synonyms(classes, graph, {&*read, 1}, {}), classes, read->lines.empty());
  return 0;
}
