// One dictionary pair expanded: its forms and their lemmas, before dictionaries are joined.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/read/expander.h"
#include "dict/read/pair.h"
#include "dict/table/endings.h"

namespace akin {

/// An edge of the form-lemma graph.
struct FormEdge {
  std::uint64_t form = 0;  ///< spelling_key of the folded form
  std::uint32_t lemma = 0;
  std::uint32_t source = 0;
};

/// An edge that the affix rules of a dictionary give and the graph lacks. Keys are spelling_keys of folded
/// spellings.
struct EdgeCut {
  std::uint64_t lemma = 0;
  std::uint64_t form = 0;
  std::string spelling;  ///< of the form, as the supplement or the dictionary writes it
  bool every_form =
      false;  ///< all forms of the lemma except its own spelling; `form` and `spelling` are not set
};

/// Edges with a list of the lemmas they name by index. A lemma may be in the list repeatedly.
struct EdgeList {
  std::vector<FormEdge> edges;
  std::vector<std::string> lemmas;  ///< UTF-8, as stem() gives them
  /// Of a supplement: edges to remove from the sources. Of a source: forms of one-letter entries, whose edges
  /// are not in `edges`.
  std::vector<EdgeCut> cuts;
};

/// What the compiler keeps of one pair.
struct ExpandedSource {
  std::vector<EdgeList> parts;  ///< `source` of the edges is not filled in
  ExpansionDepth depth = ExpansionDepth::full;
  std::uint64_t cut_entries = 0;  ///< entries with more forms than were expanded
  std::uint8_t scripts = 0;       ///< ScriptBits of its words
  bool compounds = false;         ///< some word of letters may take part in a compound
  std::u32string ignored;         ///< IGNORE, as far as folding does not drop it anyway; folded, sorted
  Paradigms paradigms;            ///< a sample of the entries, to learn endings from; none if any is cut
};

/// Bounds for one pair. A pair that exceeds them is expanded at a lower depth (ExpansionDepth).
inline constexpr std::uint64_t kMaxFormsPerSource = 24'000'000;
inline constexpr std::uint64_t kMaxStepsPerSource = 3'000'000'000;

/// Target number of forms in the sample of one pair's paradigms; slightly exceeded, since entries are taken
/// whole.
inline constexpr std::size_t kSampledForms = 600'000;

/// Reads and expands a pair, on all processors. Contents are the files' bytes; paths only name them. `code`
/// is the language, for the rules of one language (Participles). Error: bad_dictionary.
[[nodiscard]] Result<ExpandedSource> expand_source(const DictionaryPair& names, std::string_view code,
                                                   std::string_view aff, std::string_view dic);

}  // namespace akin
