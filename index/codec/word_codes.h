// A byte for each word of a text: enough to see, without reading the text, that it shares no passage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "dict/dictionary.h"
#include "morph/words/scanner.h"

namespace akin {

/// The code of a word's class. Words of one class have one code, so that what two texts share their codes
/// share too; of other words one in 256 has it by chance.
[[nodiscard]] constexpr std::uint8_t code_of(std::uint64_t word_class) noexcept {
  return static_cast<std::uint8_t>(mix64(word_class) >> 56U);
}

/// Reads the codes of a text's words in a pass that others share.
class WordCodeReader final : public SentenceSink {
 public:
  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::classes; }
  void on_sentence(const Sentence& sentence) override {
    for (const PlacedClass& word : sentence.classes) codes_ += static_cast<char>(code_of(word.hash));
  }
  [[nodiscard]] const std::string& codes() const noexcept { return codes_; }

 private:
  std::string codes_;
};

/// Codes as bytes: the checksum of the dictionary's fingerprint with its synonyms, u32, then the codes.
[[nodiscard]] std::string encode_word_codes(std::string_view codes, const Dictionary& dictionary);
/// The same of a text. Errors: as scan_text.
[[nodiscard]] Result<std::string> encode_codes_of(std::string_view utf8, const Dictionary& dictionary);
/// The codes in such bytes, a view of them; nothing if they were read with another dictionary, or there are
/// none.
[[nodiscard]] std::optional<std::string_view> decode_word_codes(std::string_view encoded,
                                                                const Dictionary& dictionary);

}  // namespace akin
