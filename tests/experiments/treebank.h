// Words and lemmas of a Universal Dependencies treebank, counted as a text's words would be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace akin::experiments {

/// A form and the lemma that the treebank's annotators gave it, both folded as words are before a dictionary
/// is asked.
struct FormWithLemma {
  std::string form;
  std::string lemma;
  std::uint64_t count = 0;
};

/// A treebank's running words.
struct Treebank {
  std::string name;                  ///< of the file, without its extension: "ru_gsd-ud-dev"
  std::vector<FormWithLemma> words;  ///< distinct pairs, sorted by lemma, then form
  std::uint64_t tokens = 0;          ///< sum of their counts
  std::uint64_t skipped =
      0;  ///< words that a text's rules split otherwise: parts of "don't" and "im", "from-to"
};

/// Reads a .conllu file. Left out without being counted: punctuation, symbols, tokens without a letter, words
/// whose lemma is not given. Left out and counted in `skipped`: what akin takes for another number of words,
/// that is, the parts of a multiword token, words that no space separates (l'uomo, and the Arabic وفي, of
/// which some treebanks make two words each), and words with a hyphen or a full stop inside. Throws
/// std::runtime_error if the file cannot be read.
[[nodiscard]] Treebank read_treebank(const std::filesystem::path& file);

/// The treebanks of the corpora, by name; none where there are no corpora.
[[nodiscard]] std::vector<std::filesystem::path> treebanks_of_corpora();

/// Pairs of running words, by what the treebank and the dictionary say of them. n words make n (n - 1) / 2
/// pairs.
struct PairCounts {
  std::uint64_t one_lemma = 0;
  std::uint64_t one_lemma_one_class = 0;
  std::uint64_t two_lemmas = 0;
  std::uint64_t two_lemmas_one_class = 0;
};

/// Both ways of counting: with pairs of words that are spelt alike (whatever the dictionary, they have one
/// class), and without them.
struct Agreement {
  PairCounts all;
  PairCounts other_forms;
};

/// `classes[i]` is the class of words[i].form. Linear in the number of words.
[[nodiscard]] Agreement count_pairs(const Treebank& treebank, const std::vector<std::uint64_t>& classes);

/// Pairs of words with different spellings, two lemmas and one class, of which one word's form also occurs
/// with the other word's lemma: "la" (lui) and "les" (le), since "la" is a form of le too. A table that knows
/// no context and joins the forms of a lemma joins these.
[[nodiscard]] std::uint64_t pairs_by_homographs(const Treebank& treebank,
                                                const std::vector<std::uint64_t>& classes);

/// Forms on which dictionary and treebank disagree: of one lemma in several classes, or of one class with
/// several lemmas.
struct Disagreement {
  std::uint64_t pairs = 0;  ///< of running words with other forms, that this costs
  std::string what;         ///< the lemma, or the class's commonest lemma
  std::string detail;       ///< "свой 5 свои 4 | свою 4": '|' between classes, or between lemmas
};

/// Lemmas whose forms stand in several classes, the costliest first.
[[nodiscard]] std::vector<Disagreement> split_lemmas(const Treebank& treebank,
                                                     const std::vector<std::uint64_t>& classes);

/// Classes that hold several lemmas, the costliest first.
[[nodiscard]] std::vector<Disagreement> mixed_classes(const Treebank& treebank,
                                                      const std::vector<std::uint64_t>& classes);

}  // namespace akin::experiments
