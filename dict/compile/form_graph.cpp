#include "dict/compile/form_graph.h"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <string_view>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/parallel.h"
#include "base/parallel_sort.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

/// Of equal pairs, that of the supplements comes first.
constexpr auto form_order = [](const FormEdge& a, const FormEdge& b) {
  if (a.form != b.form) return a.form < b.form;
  return a.lemma != b.lemma ? a.lemma < b.lemma : a.source > b.source;
};
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

/// A lemma of some part.
struct NamedLemma {
  std::uint64_t beginning = 0;  ///< its first eight bytes, as a number that orders as they do
  std::string_view lemma;
  std::uint32_t number = 0;  ///< among those of all parts
};

constexpr auto lemma_order = [](const NamedLemma& a, const NamedLemma& b) {
  if (a.beginning != b.beginning) return a.beginning < b.beginning;
  return a.lemma != b.lemma ? a.lemma < b.lemma : a.number < b.number;
};

std::uint64_t beginning_of(std::string_view lemma) {
  std::uint64_t beginning = 0;
  for (std::size_t i = 0; i < sizeof(beginning); ++i)
    beginning = beginning << 8U | (i < lemma.size() ? static_cast<unsigned char>(lemma[i]) : 0U);
  return beginning;
}

/// Numbers the distinct lemmas in byte order; fills `ids` of the parts.
std::vector<std::string> number_lemmas(std::vector<Part>& parts) {
  std::vector<NamedLemma> all;
  for (const Part& part : parts) {
    for (const std::string& lemma : part.list->lemmas)
      all.push_back({beginning_of(lemma), lemma, static_cast<std::uint32_t>(all.size())});
  }
  sort_on_all_cores(all, lemma_order);
  std::vector<std::uint32_t> ids(all.size());
  std::vector<std::string> lemmas;
  for (const NamedLemma& one : all) {
    if (lemmas.empty() || lemmas.back() != one.lemma) lemmas.emplace_back(one.lemma);
    ids[one.number] = static_cast<std::uint32_t>(lemmas.size() - 1);
  }
  auto id = ids.begin();
  for (Part& part : parts) {
    const auto end = id + static_cast<std::ptrdiff_t>(part.list->lemmas.size());
    part.ids.assign(id, end);
    id = end;
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

namespace {

/// The lemmas' folded spellings and their keys.
struct FoldedLemmas {
  std::vector<std::u32string> letters;
  std::vector<std::uint64_t> keys;
};

/// Folds the lemmas of the graph on all processors, and runs `meanwhile` on one of them.
template <class Meanwhile>
FoldedLemmas fold_lemmas(const FormGraph& graph, Meanwhile meanwhile) {
  constexpr std::size_t kShare = 8192;
  const std::size_t lemmas = graph.lemmas.size();
  FoldedLemmas out{std::vector<std::u32string>(lemmas), std::vector<std::uint64_t>(lemmas)};
  for_each_index(1 + (lemmas + kShare - 1) / kShare, [&](std::size_t task) {
    if (task == 0) return meanwhile();
    FormFolder folder;
    for (std::size_t i = (task - 1) * kShare; i < std::min(task * kShare, lemmas); ++i) {
      const FoldedWord word = folder.fold_spelling(graph.lemmas[i]);
      out.letters[i] = word.letters;
      out.keys[i] = word.key;
    }
  });
  return out;
}

/// Joins the lemmas of each form; those of sources from `end` on are passed over.
void join_forms(const std::vector<FormEdge>& edges, std::size_t end, DisjointSets& sets) {
  const FormEdge* before = nullptr;
  for (const FormEdge& edge : edges) {
    if (edge.source >= end) continue;
    if (before != nullptr && before->form == edge.form) sets.join(edge.lemma, before->lemma);
    before = &edge;
  }
}

void join_spelt_alike(const FoldedLemmas& lemmas, DisjointSets& sets) {
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> by_key(lemmas.keys.size());
  for (std::uint32_t i = 0; i < lemmas.keys.size(); ++i) {
    const auto [other, is_new] = by_key.try_emplace(lemmas.keys[i], i);
    if (!is_new) sets.join(i, other->second);
  }
}

/// Whether each lemma is in a set of more than kMostLemmas; nothing if none is.
std::vector<bool> in_crowds(DisjointSets& sets) {
  std::vector<std::uint32_t> sizes(sets.size());
  std::uint32_t largest = 0;
  for (std::uint32_t i = 0; i < sets.size(); ++i) largest = std::max(largest, ++sizes[sets.root(i)]);
  if (largest <= kMostLemmas) return {};
  std::vector<bool> crowded(sets.size());
  for (std::uint32_t i = 0; i < sets.size(); ++i) crowded[i] = sizes[sets.root(i)] > kMostLemmas;
  return crowded;
}

/// Leaves each form of a crowded class one edge of the dictionaries: to the lemma that is spelt like it, or
/// else to the lemma that precedes the others.
void choose_lemmas(const std::vector<bool>& crowded, const FoldedLemmas& lemmas, FormGraph& graph) {
  const auto better = [&](const FormEdge& a, const FormEdge& b) {
    const bool own_a = lemmas.keys[a.lemma] == a.form, own_b = lemmas.keys[b.lemma] == b.form;
    return own_a != own_b ? own_a : precedes(lemmas.letters[a.lemma], lemmas.letters[b.lemma]);
  };
  const auto droppable = [&](const FormEdge& edge) {
    return edge.source < graph.per_source.size() && crowded[edge.lemma];
  };
  auto kept = graph.edges.begin();
  for (auto begin = graph.edges.begin(), end = begin; begin != graph.edges.end(); begin = end) {
    const FormEdge* best = nullptr;
    for (; end != graph.edges.end() && end->form == begin->form; ++end) {
      if (droppable(*end) && (best == nullptr || better(*end, *best))) best = &*end;
    }
    const std::uint32_t chosen = best == nullptr ? 0 : best->lemma;
    kept = std::copy_if(begin, end, kept,
                        [&](const FormEdge& edge) { return !droppable(edge) || edge.lemma == chosen; });
  }
  graph.edges.erase(kept, graph.edges.end());
}

}  // namespace

LemmaClasses find_classes(FormGraph& graph) {
  const auto lemmas = static_cast<std::uint32_t>(graph.lemmas.size());
  DisjointSets sets(lemmas);
  const std::size_t sources = graph.per_source.size();
  FoldedLemmas folded = fold_lemmas(graph, [&] { join_forms(graph.edges, sources, sets); });
  join_spelt_alike(folded, sets);
  if (const std::vector<bool> crowded = in_crowds(sets); !crowded.empty()) {
    choose_lemmas(crowded, folded, graph);
    sets = DisjointSets(lemmas);
    join_spelt_alike(folded, sets);
  }
  join_forms(graph.edges, sources + 1, sets);

  LemmaClasses out;
  out.class_of_lemma.assign(lemmas, 0);
  for (std::uint32_t i = 0; i < lemmas; ++i) {
    const std::uint32_t root = sets.root(i);
    if (root == i) {
      out.class_of_lemma[i] = static_cast<std::uint32_t>(out.classes.size());
      out.classes.push_back({std::move(folded.letters[i]), 0});
      continue;
    }
    out.class_of_lemma[i] = out.class_of_lemma[root];  // set before: the root has the smallest index
    std::u32string& name = out.classes[out.class_of_lemma[i]].name;
    if (precedes(folded.letters[i], name)) name = std::move(folded.letters[i]);
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    if (i == 0 || graph.edges[i].form != graph.edges[i - 1].form) {
      ++out.classes[out.class_of_lemma[graph.edges[i].lemma]].forms;
    }
  }
  return out;
}

}  // namespace akin
