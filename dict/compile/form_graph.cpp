#include "dict/compile/form_graph.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/parallel.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

bool form_order(const FormEdge& a, const FormEdge& b) {
  return a.form != b.form ? a.form < b.form : a.lemma < b.lemma;
}
bool same_pair(const FormEdge& a, const FormEdge& b) { return a.form == b.form && a.lemma == b.lemma; }

/// Edges are sorted in buckets of their keys' upper bits, so that several processors can share the work.
constexpr std::size_t kBuckets = 256;
std::size_t bucket_of(const FormEdge& edge) { return edge.form >> 56U; }

struct Part {
  EdgeList* list = nullptr;
  std::uint32_t source = 0;
  std::vector<std::uint32_t> ids;  // of the part's lemmas
  std::array<std::size_t, kBuckets> begin{};
};

/// Numbers the distinct lemmas in byte order; fills `ids` of the parts.
std::vector<std::string> number_lemmas(std::vector<Part>& parts) {
  std::unordered_map<std::string_view, std::uint32_t> seen;
  for (Part& part : parts) {
    for (const std::string& lemma : part.list->lemmas) {
      part.ids.push_back(seen.try_emplace(lemma, static_cast<std::uint32_t>(seen.size())).first->second);
    }
  }
  std::vector<std::pair<std::string_view, std::uint32_t>> order(seen.begin(), seen.end());
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> place(order.size());
  std::vector<std::string> lemmas;
  lemmas.reserve(order.size());
  for (const auto& [lemma, first_id] : order) {
    place[first_id] = static_cast<std::uint32_t>(lemmas.size());
    lemmas.emplace_back(lemma);
  }
  for (Part& part : parts) {
    for (std::uint32_t& id : part.ids) id = place[id];
  }
  return lemmas;
}

std::vector<std::uint64_t> count_lemmas(const std::vector<Part>& parts, std::size_t sources,
                                        std::size_t lemmas) {
  std::vector<std::vector<bool>> seen(sources, std::vector<bool>(lemmas));
  std::vector<std::uint64_t> counts(sources);
  for (const Part& part : parts) {
    if (part.source >= sources) continue;
    for (const std::uint32_t id : part.ids) {
      if (!seen[part.source][id]) ++counts[part.source];
      seen[part.source][id] = true;
    }
  }
  return counts;
}

}  // namespace

FormGraph join_sources(std::vector<ExpandedSource> sources, std::vector<EdgeList> supplements) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (EdgeList& list : sources[i].parts) parts.push_back({&list, static_cast<std::uint32_t>(i), {}, {}});
  }
  for (EdgeList& list : supplements)
    parts.push_back({&list, static_cast<std::uint32_t>(sources.size()), {}, {}});

  FormGraph graph;
  graph.lemmas = number_lemmas(parts);
  graph.per_source.resize(sources.size());
  const auto lemma_counts = count_lemmas(parts, sources.size(), graph.lemmas.size());
  for (std::size_t i = 0; i < sources.size(); ++i) graph.per_source[i].lemmas = lemma_counts[i];

  for (Part& part : parts) {
    for (const FormEdge& edge : part.list->edges) ++part.begin[bucket_of(edge)];
  }
  std::array<std::size_t, kBuckets + 1> bucket_begin{};
  std::size_t total = 0;
  for (std::size_t b = 0; b < kBuckets; ++b) {
    bucket_begin[b] = total;
    for (Part& part : parts) total += std::exchange(part.begin[b], total);
  }
  bucket_begin[kBuckets] = total;

  graph.edges.resize(total);
  for_each_index(parts.size(), [&](std::size_t p) {
    Part& part = parts[p];
    for (const FormEdge& edge : part.list->edges) {
      graph.edges[part.begin[bucket_of(edge)]++] = {edge.form, part.ids[edge.lemma], part.source};
    }
    *part.list = {};
  });

  std::vector<std::vector<std::uint64_t>> forms(kBuckets, std::vector<std::uint64_t>(sources.size() + 1));
  std::array<std::size_t, kBuckets> bucket_end{};
  for_each_index(kBuckets, [&](std::size_t b) {
    const auto begin = graph.edges.begin() + static_cast<std::ptrdiff_t>(bucket_begin[b]);
    const auto end = graph.edges.begin() + static_cast<std::ptrdiff_t>(bucket_begin[b + 1]);
    std::sort(begin, end, form_order);
    std::vector<const FormEdge*> last(sources.size() + 1);
    for (auto edge = begin; edge != end; ++edge) {
      const FormEdge*& previous = last[edge->source];
      if (previous == nullptr || previous->form != edge->form) ++forms[b][edge->source];
      previous = &*edge;
    }
    bucket_end[b] = static_cast<std::size_t>(std::unique(begin, end, same_pair) - graph.edges.begin());
  });
  auto out = graph.edges.begin();
  for (std::size_t b = 0; b < kBuckets; ++b) {
    out = std::move(graph.edges.begin() + static_cast<std::ptrdiff_t>(bucket_begin[b]),
                    graph.edges.begin() + static_cast<std::ptrdiff_t>(bucket_end[b]), out);
    for (std::size_t i = 0; i < sources.size(); ++i) graph.per_source[i].forms += forms[b][i];
  }
  graph.edges.erase(out, graph.edges.end());
  return graph;
}

bool precedes(std::u32string_view a, std::u32string_view b) noexcept {
  if (a.empty() != b.empty()) return b.empty();
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

LemmaClasses find_classes(const FormGraph& graph) {
  const auto lemmas = static_cast<std::uint32_t>(graph.lemmas.size());
  DisjointSets sets(lemmas);
  for (std::size_t i = 1; i < graph.edges.size(); ++i) {
    if (graph.edges[i].form == graph.edges[i - 1].form) {
      sets.join(graph.edges[i].lemma, graph.edges[i - 1].lemma);
    }
  }

  FormFolder folder;
  std::vector<std::u32string> folded(lemmas);
  std::unordered_map<std::uint64_t, std::uint32_t> by_key;
  for (std::uint32_t i = 0; i < lemmas; ++i) {
    const FoldedWord word = folder.fold_spelling(graph.lemmas[i]);
    folded[i] = word.letters;
    const auto [other, is_new] = by_key.try_emplace(word.key, i);
    if (!is_new) sets.join(i, other->second);
  }

  LemmaClasses out;
  out.class_of_lemma.assign(lemmas, 0);
  for (std::uint32_t i = 0; i < lemmas; ++i) {
    const std::uint32_t root = sets.root(i);
    if (root == i) {
      out.class_of_lemma[i] = static_cast<std::uint32_t>(out.classes.size());
      out.classes.push_back({std::move(folded[i]), 0});
      continue;
    }
    out.class_of_lemma[i] = out.class_of_lemma[root];  // set before: the root has the smallest index
    std::u32string& name = out.classes[out.class_of_lemma[i]].name;
    if (precedes(folded[i], name)) name = std::move(folded[i]);
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    if (i == 0 || graph.edges[i].form != graph.edges[i - 1].form) {
      ++out.classes[out.class_of_lemma[graph.edges[i].lemma]].forms;
    }
  }
  return out;
}

}  // namespace akin
