#include "morph/align/differences.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>

#include "dict/fold/confusables.h"
#include "dict/fold/fold.h"
#include "morph/align/word_pairs.h"

namespace akin {
namespace {

bool equals_or_looks_like(char32_t one, char32_t other) {
  const LookAlike alike = look_alike(one);
  return one == other || alike.latin == other || alike.cyrillic == other || alike.greek == other;
}

/// Whether the words look the same, and all letters of one are of another script.
bool look_the_same(std::u32string_view a, std::u32string_view b) {
  return std::ranges::equal(a, b, equals_or_looks_like) || std::ranges::equal(b, a, equals_or_looks_like);
}

class ChangeFinder {
 public:
  ChangeFinder(const AlignedPassage& passage, const WrittenWords& a, const WrittenWords& b,
               const Dictionary& dictionary)
      : passage_(passage), a_(a), b_(b), dictionary_(dictionary) {}

  std::vector<WordChange> find() {
    const std::vector<WordPair> pairs = pair_words(passage_, a_.words.classes, b_.words.classes);
    add_pairs(pairs);
    add_unpaired(pairs);
    std::ranges::sort(changes_, {}, [](const WordChange& one) {
      return std::tuple(one.a.begin, one.b.begin, one.a.end, one.b.end, one.kind);
    });
    return std::move(changes_);
  }

 private:
  void add_pairs(const std::vector<WordPair>& pairs) {
    std::optional<WordChange> run;  // of moved words that follow one another in A and in B
    for (const WordPair& pair : pairs) {
      if (run && (!pair.moved || pair.a != run->a.end || pair.b != run->b.end)) {
        changes_.push_back(*run);
        run.reset();
      }
      if (run) {
        ++run->a.end;
        ++run->b.end;
      } else if (pair.moved) {
        run = WordChange{ChangeKind::moved, {pair.a, pair.a + 1}, {pair.b, pair.b + 1}};
      }
      if (const auto kind = change_of(pair)) {
        changes_.push_back({*kind, {pair.a, pair.a + 1}, {pair.b, pair.b + 1}});
      }
    }
    if (run) changes_.push_back(*run);
  }

  static std::string_view written(const WrittenWords& side, std::uint32_t word) {
    const TextRange bytes = side.words.bytes[word];
    return side.text.substr(bytes.begin, bytes.end - bytes.begin);
  }

  /// How two words of one class differ, if a reader would say that they do.
  std::optional<ChangeKind> change_of(const WordPair& pair) {
    const std::string_view a = written(a_, pair.a), b = written(b_, pair.b);
    if (a == b) return std::nullopt;
    const FoldedWord folded = a_folder_.fold(a), other = b_folder_.fold(b);
    if (folded.letters != other.letters)
      return look_the_same(folded.letters, other.letters) ? ChangeKind::look_alike : ChangeKind::inflected;
    if (folded.flags != other.flags) return ChangeKind::look_alike;
    return std::nullopt;
  }

  /// Adds what lies between the pairs in place: of each stretch of words without a partner in A, and the one
  /// in B at the same place, what was replaced, left out or inserted.
  void add_unpaired(const std::vector<WordPair>& pairs) {
    std::vector<bool> b_paired(passage_.b_words.size(), false);
    for (const WordPair& pair : pairs) b_paired[pair.b - passage_.b_words.begin] = true;
    auto pair = pairs.begin();
    WordRange a{passage_.a_words.begin, 0}, b{passage_.b_words.begin, 0};
    a_free_.clear();
    for (;;) {
      while (pair != pairs.end() && pair->moved) {
        add_stretch(a_free_, {a.begin, pair->a});
        a.begin = pair->a + 1;
        ++pair;
      }
      a.end = pair != pairs.end() ? pair->a : passage_.a_words.end;
      b.end = pair != pairs.end() ? pair->b : passage_.b_words.end;
      add_stretch(a_free_, a);
      b_free_.clear();
      for (std::uint32_t j = b.begin; j < b.end; ++j) {
        if (b_paired[j - passage_.b_words.begin]) {
          add_stretch(b_free_, {b.begin, j});
          b.begin = j + 1;
        }
      }
      add_stretch(b_free_, b);
      add_slot(a.end, b.end);
      if (pair == pairs.end()) return;
      a.begin = pair->a + 1;
      b.begin = pair->b + 1;
      a_free_.clear();
      ++pair;
    }
  }

  static void add_stretch(std::vector<WordRange>& stretches, WordRange range) {
    if (range.end > range.begin) stretches.push_back(range);
  }

  /// Adds the changes of stretches that lie between the same two pairs in place; the words after them are
  /// a_end and b_end.
  void add_slot(std::uint32_t a_end, std::uint32_t b_end) {
    for (std::size_t at = 0; at < std::max(a_free_.size(), b_free_.size()); ++at) {
      if (at >= b_free_.size()) {
        changes_.push_back({ChangeKind::left_out, a_free_[at], {b_end, b_end}});
      } else if (at >= a_free_.size()) {
        changes_.push_back({ChangeKind::inserted, {a_end, a_end}, b_free_[at]});
      } else {
        add_replaced(a_free_[at], b_free_[at]);
      }
    }
  }

  /// Synonyms are distinguished from other words only if as many words replace them.
  void add_replaced(WordRange a, WordRange b) {
    if (a.size() != b.size() || !dictionary_.has_synonyms()) {
      changes_.push_back({ChangeKind::replaced, a, b});
      return;
    }
    std::uint32_t begin = 0;
    for (std::uint32_t at = 0; at <= a.size(); ++at) {
      const bool synonyms = at < a.size() && are_synonyms(a.begin + at, b.begin + at);
      if (at < a.size() && !synonyms) continue;
      if (at > begin) {
        changes_.push_back(
            {ChangeKind::replaced, {a.begin + begin, a.begin + at}, {b.begin + begin, b.begin + at}});
      }
      if (synonyms) {
        changes_.push_back(
            {ChangeKind::synonym, {a.begin + at, a.begin + at + 1}, {b.begin + at, b.begin + at + 1}});
      }
      begin = at + 1;
    }
  }

  [[nodiscard]] bool are_synonyms(std::uint32_t a, std::uint32_t b) const {
    return dictionary_.synonym_hash(a_.words.classes[a]) == dictionary_.synonym_hash(b_.words.classes[b]);
  }

  const AlignedPassage& passage_;
  const WrittenWords& a_;
  const WrittenWords& b_;
  const Dictionary& dictionary_;
  WordFolder a_folder_, b_folder_;
  std::vector<WordRange> a_free_, b_free_;  ///< words without a partner, between two pairs in place
  std::vector<WordChange> changes_;
};

constexpr std::array<std::string_view, kChangeKinds> kChangeNames = {
    "inserted", "left_out", "replaced", "moved", "inflected", "look_alike", "synonym"};

}  // namespace

std::string_view name_of(ChangeKind kind) noexcept { return kChangeNames[static_cast<std::size_t>(kind)]; }

std::vector<WordChange> find_changes(const AlignedPassage& passage, const WrittenWords& a,
                                     const WrittenWords& b, const Dictionary& dictionary) {
  return ChangeFinder(passage, a, b, dictionary).find();
}

}  // namespace akin
