// The form-lemma graph of all configured dictionaries, and its connected components: the lemma classes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dict/read/source.h"

namespace akin {

/// Distinct spellings in one source alone.
struct SourceCounts {
  std::uint64_t lemmas = 0;
  std::uint64_t forms = 0;
};

struct FormGraph {
  std::vector<std::string> lemmas;  ///< distinct, in byte order; edges name them by index
  std::vector<FormEdge> edges;  ///< distinct (form, lemma) pairs, sorted; `source` is the number of sources
                                ///< for an edge of a supplement
  std::vector<SourceCounts> per_source;
};

/// Joins the sources and the supplements into one graph, on all processors. The result does not depend on the
/// order of sources or of entries within them, except for the order of `per_source`.
[[nodiscard]] FormGraph join_sources(std::vector<ExpandedSource> sources, std::vector<EdgeList> supplements);

/// A connected component. Lemmas of one folded spelling count as connected.
struct LemmaClass {
  /// Folded spelling of the canonical lemma: of the class's lemmas the shortest, and of equally short ones
  /// the first by code points. It depends on the class's own lemmas alone, so words elsewhere in the
  /// dictionaries change nothing.
  std::u32string name;
  std::uint64_t forms = 0;
};

/// Whether a class is named by `a` rather than by `b`: an empty spelling is the last choice.
[[nodiscard]] bool precedes(std::u32string_view a, std::u32string_view b) noexcept;

struct LemmaClasses {
  std::vector<LemmaClass> classes;
  std::vector<std::uint32_t> class_of_lemma;
};

/// What dictionaries join into a class of more lemmas than this is not a word: chance joined many by forms
/// that each shares with others (ar: من, "from", is also a form of منى).
inline constexpr std::uint32_t kMostLemmas = 100;

/// The components of the graph. Where the dictionaries alone join more than kMostLemmas lemmas, each form
/// keeps one of their lemmas, its own spelling or else the one that precedes the others, and the edges to the
/// others are removed from the graph. What supplements join stays joined.
[[nodiscard]] LemmaClasses find_classes(FormGraph& graph);

}  // namespace akin
