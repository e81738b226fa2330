// The words of tokens (tokens.h), remembered by their bytes: a text of millions of words has few spellings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "dict/compile/large_pages.h"
#include "dict/dictionary.h"
#include "morph/text/tokens.h"

namespace akin {

/// Reads tokens of a text as it is (without an arrangement). A token is *independent* if its words are those
/// that scan_stretch gives for its bytes, whatever is before and after it. One that begins with what may
/// belong to the word before it (a combining mark, an ignorable character) does not, nor does one that ends
/// with what may join the next word (a hyphen): it must be read together with its neighbours.
class TokenWords {
 public:
  /// Below kSeveral, the token is exactly one word, and this is the number of its class.
  using Meaning = std::uint32_t;
  static constexpr Meaning kSeveral = 0x80000000U;  ///< from here on: no word or several; see `numbers`
  static constexpr Meaning kJoins = 0xffffffffU;    ///< it is not independent

  /// The dictionary must outlive it. Memory: for a text of so many bytes that, at most 8 MiB.
  TokenWords(const Dictionary& dictionary, std::size_t text_bytes);

  /// `number_of(class hash)`: a number below kSeveral, always the same for one class; not called for a token
  /// that is remembered.
  template <class NumberOf>
  [[nodiscard]] Meaning of(const Token& token, const NumberOf& number_of) {
    if (token.size > kMaxKey) [[unlikely]]
      return read(token.view(), number_of);
    const Entry key = key_of(token);
    Entry* const set = set_of(key);
    for (unsigned way = 0; way < kWays; ++way)
      if (set[way].is_of(key)) return set[way].meaning();
    const Meaning meaning = read(token.view(), number_of);
    keep(set, key, meaning);
    return meaning;
  }

  /// The numbers of the words of a token that is neither one word nor joined. Valid until the next `of`.
  [[nodiscard]] std::span<const std::uint32_t> numbers(Meaning meaning) const noexcept {
    const std::uint32_t at = meaning - kSeveral;
    return {lists_.data() + at + 1, lists_[at]};
  }

 private:
  static constexpr std::uint32_t kMaxKey = 28;
  static constexpr std::uint64_t kLastBytes = 0xffffffffU;  ///< of the last word: those of the token

  /// The bytes of a token, followed by zeros, which no token has; the last four bytes are its meaning.
  struct Entry {
    std::array<std::uint64_t, 4> words;
    [[nodiscard]] bool is_of(const Entry& key) const noexcept {
      return ((words[0] ^ key.words[0]) | (words[1] ^ key.words[1]) | (words[2] ^ key.words[2]) |
              ((words[3] ^ key.words[3]) & kLastBytes)) == 0;
    }
    [[nodiscard]] Meaning meaning() const noexcept { return static_cast<Meaning>(words[3] >> 32U); }
  };
  /// Entries of a set, in any of which a token may be.
  static constexpr unsigned kWays = 4;
  static constexpr std::size_t kMaxListed = std::size_t{1} << 20U;

  [[nodiscard]] static Entry key_of(const Token& token) noexcept {
    const auto& masks = kMasks[token.size];
    Entry key;
    for (unsigned i = 0; i < 4; ++i) key.words[i] = load_u64(token.bytes + 8U * i) & masks[i];
    return key;
  }
  [[nodiscard]] Entry* set_of(const Entry& key) const noexcept {
    const std::uint64_t hash = key.words[0] * 0x9e3779b97f4a7c15U + key.words[1] * 0xbf58476d1ce4e5b9U +
                               (key.words[2] + (key.words[3] << 32U)) * 0x94d049bb133111ebU;
    return static_cast<Entry*>(memory_.begin()) + kWays * (hash >> (64U - set_bits_));
  }
  void keep(Entry* set, const Entry& key, Meaning meaning) noexcept;
  void forget() noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept { return sizeof(Entry) * kWays << set_bits_; }

  /// The class of a token that is one word with nothing but marks around it.
  [[nodiscard]] std::optional<std::uint64_t> class_of_word(std::string_view token);
  [[nodiscard]] static bool stands_alone(std::string_view token) noexcept;
  void read_classes(std::string_view token);

  template <class NumberOf>
  Meaning read(std::string_view token, const NumberOf& number_of) {
    if (const auto hash = class_of_word(token)) return number_of(*hash);
    if (!stands_alone(token)) return kJoins;
    read_classes(token);
    if (classes_.size() == 1) return number_of(classes_.front());
    if (lists_.size() > kMaxListed) forget();
    const auto at = static_cast<std::uint32_t>(lists_.size());
    lists_.push_back(static_cast<std::uint32_t>(classes_.size()));
    for (const std::uint64_t hash : classes_) lists_.push_back(number_of(hash));
    return kSeveral + at;
  }

  static const std::array<std::array<std::uint64_t, 4>, kMaxKey + 1> kMasks;

  const Dictionary& dictionary_;
  const unsigned set_bits_;
  LargePages memory_;
  unsigned replaced_ = 0;
  std::vector<char32_t> letters_;
  std::vector<std::uint64_t> classes_;  ///< of the token that was read last
  std::vector<std::uint32_t> lists_;    ///< for each token of kSeveral the number of its words, and their own
};

}  // namespace akin
