// What is remembered of each document of a corpus while duplicates are looked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/dedup/corpus_line.h"

namespace akin::dedup {

/// A number of a text that is different from all texts before it, from 0.
using TextNumber = std::uint32_t;

/// Documents in the order in which they were read, numbered from 0. Those whose texts are equal byte for byte
/// share a text; two different texts are taken for equal with a probability of 2^-128. Memory: about 80 bytes
/// a document, and its id. One thread.
class Corpus {
 public:
  /// The most documents.
  static constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;

  /// Adds a document; true if its text is new: then it has the number texts() - 1.
  bool add(const CorpusDocument& document);

  /// Documents added so far are known: they are kept, and preferred to all others.
  void all_are_known() { known_ = size(); }

  /// No document is added any more: forgets what only finds equal texts, half of the memory, and gives back
  /// what was meant for more documents.
  void seal();

  [[nodiscard]] std::size_t size() const noexcept { return text_of_.size(); }
  [[nodiscard]] std::size_t known() const noexcept { return known_; }
  [[nodiscard]] TextNumber texts() const noexcept { return static_cast<TextNumber>(best_of_.size()); }
  [[nodiscard]] std::string_view id(std::size_t document) const {
    return std::string_view(ids_).substr(id_begins_[document],
                                         id_begins_[document + 1] - id_begins_[document]);
  }
  [[nodiscard]] TextNumber text_of(std::size_t document) const { return text_of_[document]; }
  [[nodiscard]] std::uint64_t words(std::size_t document) const { return words_[document]; }
  /// The preferred one of the documents with a text.
  [[nodiscard]] std::uint32_t best_of(TextNumber text) const { return best_of_[text]; }
  [[nodiscard]] bool is_known(TextNumber text) const { return best_of_[text] < known_; }
  /// Documents without a value of the field by which they are preferred; they come last.
  [[nodiscard]] std::uint64_t without_preference() const noexcept { return without_preference_; }

  /// Whether one text is preferred to another.
  [[nodiscard]] bool prefers(TextNumber text, TextNumber other) const {
    return document_prefers(best_of_[text], best_of_[other]);
  }

 private:
  using Digest = std::array<std::uint64_t, 2>;
  struct HashOfDigest {
    std::size_t operator()(const Digest& digest) const noexcept { return digest[0]; }
  };

  [[nodiscard]] bool document_prefers(std::uint32_t one, std::uint32_t other) const;

  std::string ids_;
  std::vector<std::size_t> id_begins_{0};
  std::vector<TextNumber> text_of_;
  std::vector<std::uint32_t> words_;
  std::vector<double> preference_;
  std::vector<std::uint32_t> best_of_;
  std::unordered_map<Digest, TextNumber, HashOfDigest> by_digest_;
  std::size_t known_ = 0;
  std::uint64_t without_preference_ = 0;
};

}  // namespace akin::dedup
