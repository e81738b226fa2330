#include "dict/compile/edge_cuts.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/parallel.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

/// The edges to cut from one lemma.
struct LemmaCuts {
  bool every_form = false;
  std::unordered_set<std::uint64_t> forms;
};
using CutsByLemma = std::unordered_map<std::uint64_t, LemmaCuts>;

CutsByLemma collect(std::span<const EdgeList> supplements) {
  CutsByLemma cuts;
  for (const EdgeList& supplement : supplements) {
    for (const EdgeCut& cut : supplement.cuts) {
      LemmaCuts& of_lemma = cuts[cut.lemma];
      if (cut.every_form) {
        of_lemma.every_form = true;
      } else {
        of_lemma.forms.insert(cut.form);
      }
    }
  }
  return cuts;
}

void cut_part(EdgeList& part, const CutsByLemma& cuts) {
  struct Cut {
    std::uint64_t lemma_key = 0;
    const LemmaCuts* cuts = nullptr;
  };
  FormFolder folder;
  std::vector<Cut> by_lemma;
  by_lemma.reserve(part.lemmas.size());
  for (const std::string& lemma : part.lemmas) {
    const std::uint64_t key = folder.fold_spelling(lemma).key;
    const auto found = cuts.find(key);
    by_lemma.push_back({key, found == cuts.end() ? nullptr : &found->second});
  }
  std::erase_if(part.edges, [&](const FormEdge& edge) {
    const Cut& cut = by_lemma[edge.lemma];
    return cut.cuts != nullptr && edge.form != cut.lemma_key &&
           (cut.cuts->every_form || cut.cuts->forms.contains(edge.form));
  });
}

/// The forms in `wanted` that some edge of `list` has.
std::unordered_set<std::uint64_t> forms_in(const EdgeList& list,
                                           const std::unordered_set<std::uint64_t>& wanted) {
  std::unordered_set<std::uint64_t> found;
  for (const FormEdge& edge : list.edges) {
    if (wanted.contains(edge.form)) found.insert(edge.form);
  }
  return found;
}

/// Cut by name, not with every form of a lemma.
bool names_form(const EdgeCut& cut) { return !cut.every_form; }

}  // namespace

void cut_edges(std::span<ExpandedSource> sources, std::span<EdgeList> supplements) {
  const CutsByLemma cuts = collect(supplements);
  std::vector<EdgeList*> lists;
  for (ExpandedSource& source : sources) {
    for (EdgeList& part : source.parts) lists.push_back(&part);
  }
  const std::size_t parts = lists.size();
  for (EdgeList& supplement : supplements) lists.push_back(&supplement);
  std::unordered_set<std::uint64_t> cut_forms;
  for (const EdgeList* list : lists) {
    for (const EdgeCut& cut : list->cuts) {
      if (names_form(cut)) cut_forms.insert(cut.form);
    }
  }
  if (cuts.empty() && cut_forms.empty()) return;

  std::vector<std::unordered_set<std::uint64_t>> found(lists.size());
  for_each_index(lists.size(), [&](std::size_t i) {
    if (i < parts) cut_part(*lists[i], cuts);
    found[i] = forms_in(*lists[i], cut_forms);
  });

  std::unordered_set<std::uint64_t> kept;
  for (const auto& forms : found) kept.insert(forms.begin(), forms.end());
  for (EdgeList* list : lists) {
    for (const EdgeCut& cut : list->cuts) {
      if (!names_form(cut) || kept.contains(cut.form)) continue;
      list->edges.push_back({cut.form, static_cast<std::uint32_t>(list->lemmas.size()), 0});
      list->lemmas.push_back(cut.spelling);
    }
  }
}

}  // namespace akin
