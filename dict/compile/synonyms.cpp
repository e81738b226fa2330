#include "dict/compile/synonyms.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/disjoint_sets.h"
#include "dict/read/form_folder.h"

namespace akin {
namespace {

using Neighbours = std::set<std::uint32_t>;

/// Forest of groups; a root knows its members.
class Groups {
 public:
  explicit Groups(std::size_t classes) : sets_(classes) {}

  std::uint32_t root(std::uint32_t c) { return sets_.root(c); }
  std::vector<std::uint32_t> members(std::uint32_t root) const {
    const auto found = members_.find(root);
    return found == members_.end() ? std::vector<std::uint32_t>{root} : found->second;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    if (b < a) std::swap(a, b);
    std::vector<std::uint32_t> all = members(a);
    const std::vector<std::uint32_t> more = members(b);
    all.insert(all.end(), more.begin(), more.end());
    members_.erase(b);
    members_[a] = std::move(all);
    sets_.join(a, b);
  }
  [[nodiscard]] const std::map<std::uint32_t, std::vector<std::uint32_t>>& all() const { return members_; }

 private:
  DisjointSets sets_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> members_;  // of groups of two or more
};

/// Classes by the folded spellings of their words.
class ClassesByWord {
 public:
  /// Both must outlive it.
  ClassesByWord(const LemmaClasses& classes, const FormGraph& graph) : classes_(classes), graph_(graph) {
    FormFolder folder;
    for (std::size_t i = 0; i < graph.lemmas.size(); ++i) {
      by_lemma_.emplace(folder.fold_spelling(graph.lemmas[i]).key, classes.class_of_lemma[i]);
    }
  }
  /// Null if the word is not a lemma.
  [[nodiscard]] const std::uint32_t* find_lemma(std::uint64_t key) const {
    const auto found = by_lemma_.find(key);
    return found == by_lemma_.end() ? nullptr : &found->second;
  }
  /// Null if the word is neither a lemma nor a form of one.
  [[nodiscard]] const std::uint32_t* find(std::uint64_t key) const {
    if (const std::uint32_t* lemma = find_lemma(key)) return lemma;
    const auto edge =
        std::lower_bound(graph_.edges.begin(), graph_.edges.end(), key,
                         [](const FormEdge& known, std::uint64_t form) { return known.form < form; });
    if (edge == graph_.edges.end() || edge->form != key) return nullptr;
    return &classes_.class_of_lemma[edge->lemma];
  }

 private:
  const LemmaClasses& classes_;
  const FormGraph& graph_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_lemma_;
};

/// The classes that each class lists; a map in the order of the classes, because joins follow it.
using Listings = std::map<std::uint32_t, Neighbours>;

Listings gather(std::span<const SynonymLists> lists, const ClassesByWord& words) {
  Listings listed;
  for (const SynonymLists& list : lists) {
    for (const SynonymLists::Meaning& meaning : list.meanings) {
      const std::uint32_t* word = words.find_lemma(meaning.word);
      if (word == nullptr) continue;
      for (const std::uint64_t key : meaning.synonyms) {
        const std::uint32_t* synonym = words.find_lemma(key);
        if (synonym != nullptr && *synonym != *word) listed[*word].insert(*synonym);
      }
    }
  }
  return listed;
}

/// Jaccard's measure of two sets.
double likeness(const Neighbours& a, const Neighbours& b) {
  std::size_t shared = 0;
  for (const std::uint32_t c : a) shared += b.count(c);
  return static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - shared);
}

/// Two classes that list each other.
struct Pair {
  double likeness = 0;
  std::uint32_t a = 0, b = 0;
};

std::vector<Pair> mutual_pairs(const Listings& listed, const std::vector<bool>& eligible) {
  Listings around = listed;
  for (const auto& [word, synonyms] : listed) {
    around[word].insert(word);
    for (const std::uint32_t synonym : synonyms) around[synonym].insert({word, synonym});
  }
  std::vector<Pair> pairs;
  for (const auto& [word, synonyms] : listed) {
    for (const std::uint32_t synonym : synonyms) {
      if (synonym < word || !eligible[word] || !eligible[synonym]) continue;
      const auto back = listed.find(synonym);
      if (back == listed.end() || !back->second.contains(word)) continue;
      pairs.push_back({likeness(around[word], around[synonym]), word, synonym});
    }
  }
  return pairs;
}

void join_cliques(std::vector<Pair> pairs, const LemmaClasses& classes, Groups& groups) {
  for (Pair& pair : pairs) {
    if (classes.classes[pair.b].name < classes.classes[pair.a].name) std::swap(pair.a, pair.b);
  }
  std::sort(pairs.begin(), pairs.end(), [&](const Pair& x, const Pair& y) {
    if (x.likeness != y.likeness) return x.likeness > y.likeness;
    const auto names = [&](const Pair& p) {
      return std::tie(classes.classes[p.a].name, classes.classes[p.b].name);
    };
    return names(x) < names(y);
  });
  std::set<std::pair<std::uint32_t, std::uint32_t>> synonyms;
  for (const Pair& pair : pairs) synonyms.insert({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
  for (const Pair& pair : pairs) {
    const std::uint32_t root_a = groups.root(pair.a);
    const std::uint32_t root_b = groups.root(pair.b);
    if (root_a == root_b) continue;
    const auto a = groups.members(root_a);
    const auto b = groups.members(root_b);
    if (a.size() + b.size() > kMaxSynonyms) continue;
    const bool all_are_synonyms = std::all_of(a.begin(), a.end(), [&](std::uint32_t x) {
      return std::all_of(b.begin(), b.end(), [&](std::uint32_t y) {
        return synonyms.contains({std::min(x, y), std::max(x, y)});
      });
    });
    if (all_are_synonyms) groups.join(root_a, root_b);
  }
}

/// Joins the users' lines; returns the number of different words that no dictionary has.
std::uint64_t join_lines(std::span<const SynonymLists> lists, const ClassesByWord& words, Groups& groups) {
  std::set<std::uint64_t> unknown;
  for (const SynonymLists& list : lists) {
    for (const std::vector<std::uint64_t>& line : list.lines) {
      const std::uint32_t* first = nullptr;
      for (const std::uint64_t key : line) {
        const std::uint32_t* word = words.find(key);
        if (word == nullptr) {
          unknown.insert(key);
          continue;
        }
        if (first != nullptr) groups.join(*first, *word);
        first = word;
      }
    }
  }
  return unknown.size();
}

/// Moves the class that names a group to its front.
void name_first(const LemmaClasses& classes, std::vector<std::uint32_t>& group) {
  std::sort(group.begin(), group.end());
  const auto called = std::min_element(group.begin(), group.end(), [&](std::uint32_t a, std::uint32_t b) {
    return precedes(classes.classes[a].name, classes.classes[b].name);
  });
  std::rotate(group.begin(), called, called + 1);
}

}  // namespace

JoinedSynonyms join_synonyms(const LemmaClasses& classes, const FormGraph& graph,
                             std::span<const SynonymLists> lists, std::span<const std::uint64_t> common) {
  const ClassesByWord words(classes, graph);
  std::vector<bool> eligible(classes.classes.size());
  for (std::size_t c = 0; c < eligible.size(); ++c) {
    eligible[c] = classes.classes[c].name.size() >= kLeastSynonymLetters;
  }
  for (const std::uint64_t key : common) {
    if (const std::uint32_t* word = words.find(key)) eligible[*word] = false;
  }
  Groups groups(classes.classes.size());
  join_cliques(mutual_pairs(gather(lists, words), eligible), classes, groups);
  JoinedSynonyms joined;
  joined.unknown = join_lines(lists, words, groups);
  for (const auto& [root, members] : groups.all()) {
    joined.groups.push_back(members);
    name_first(classes, joined.groups.back());
  }
  return joined;
}

}  // namespace akin
