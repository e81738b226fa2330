// Pages as real collections have them, with planted reuse, and questions about them whose answers are known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/word_chain.h"

namespace akin::bench {

/// A text to be asked about, and the documents that have a passage of it.
struct ReuseQuestion {
  std::string text;
  std::vector<std::string> sources;
};

/// Page n is a function of the corpora and n: 2,000 to 10,000 bytes of a Russian or English novel, in an
/// order of their own; after the last of them, what a chain of their words writes. Every fiftieth page has a
/// passage of an earlier one in its middle. One work in twelve is held out, for questions. A passage is 300
/// to 1,800 bytes of whole words.
class PageMaker {
 public:
  /// Reads the corpora. Throws std::runtime_error if they have no novels.
  explicit PageMaker(const std::string& corpora);

  [[nodiscard]] std::string page(std::uint64_t number) const;
  /// About so many bytes that only the chain wrote, others for each number.
  [[nodiscard]] std::string made(std::uint64_t number, std::size_t bytes) const;
  /// Of the works that pages are cut from, those of 500,000 bytes or more.
  [[nodiscard]] const std::vector<std::string_view>& novels() const noexcept { return novels_; }

  [[nodiscard]] static std::string id_of(std::uint64_t number) { return "p" + std::to_string(number); }

  /// So many bytes or more of held-out works, or a whole novel with `bytes` = 0, with passages of so many of
  /// `pages` pages between its words.
  [[nodiscard]] ReuseQuestion question(std::uint64_t number, std::size_t bytes, unsigned passages,
                                       std::uint64_t pages) const;

 private:
  /// A page without what was planted in it.
  [[nodiscard]] std::string own_page(std::uint64_t number) const;

  std::vector<std::string> works_, held_out_;
  std::vector<std::string_view> novels_, held_out_novels_;
  std::vector<std::string_view> real_;       ///< pages of works_, shuffled
  std::vector<std::string_view> questions_;  ///< the same of held_out_
  WordChain chain_;
};

/// A passage out of the middle of a text.
[[nodiscard]] std::string passage_of(std::string_view text, Random& random);
/// Puts a passage between two words of a text, at about this part of it (0 to 1).
void plant(std::string_view passage, double part, std::string& text);

}  // namespace akin::bench
