// Endless text that reads like the texts it was learned from: each word is drawn from those that follow the
// two before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/bench/random.h"

namespace akin::bench {

/// A chain of words of order three. Where two words have a single continuation, the next word follows the
/// last one only, else the chain would copy what it was learned from. Const members may be called by any
/// number of threads.
class WordChain {
 public:
  /// Adds the words of a text, which are what stands between white space. Before `learn`.
  void add(std::string_view text);
  /// After it, the chain can write. Requires that some text was added.
  void learn();

  /// Appends about so many bytes, beginning anywhere in the texts.
  void write(Random& random, std::size_t bytes, std::string& out) const;

 private:
  using Place = std::uint32_t;  ///< of a word in the texts, one after another

  /// The places of words that follow the same one or two words, side by side.
  struct Contexts {
    std::vector<Place> places;
    std::vector<std::uint32_t> begins;   ///< of each context in `places`, and their end
    std::vector<std::uint32_t> context;  ///< of each place
    std::vector<bool> single;            ///< of each context: one word follows it
  };
  [[nodiscard]] Contexts contexts(unsigned order) const;
  /// A place whose word may follow what stands before `place`.
  [[nodiscard]] Place alternative(Random& random, Place place) const;

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string_view> spellings_;  ///< by number; they view the keys of numbers_
  std::vector<std::uint32_t> words_;
  Contexts one_, two_;
};

}  // namespace akin::bench
