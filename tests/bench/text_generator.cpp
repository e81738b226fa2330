#include "tests/bench/text_generator.h"

#include <array>
#include <charconv>
#include <stdexcept>

#include "base/hash.h"
#include "morph/words/scanner.h"
#include "tests/bench/bench.h"
#include "tests/bench/random.h"

namespace akin::bench {

namespace {

/// What the numbers of a document are drawn for.
enum class Purpose : std::uint64_t { sentences = 1, source = 2, replacements = 3 };

Random stream(std::uint64_t seed, std::uint64_t number, Purpose purpose) {
  return Random(mix64(mix64(seed ^ static_cast<std::uint64_t>(purpose) << 32U) ^ number));
}

bool ends_a_sentence(std::string_view sentence) {
  for (const std::string_view end : {".", "!", "?", "…"})
    if (sentence.ends_with(end)) return true;
  return false;
}

}  // namespace

/// Copies suitable sentences of one text. Their ranges ascend, so one walk finds all their bytes.
class PoolSink : public SentenceSink {
 public:
  PoolSink(SentencePool& pool, std::string_view text) : pool_(pool), text_(text) {}

  void on_sentence(const Sentence& sentence) override {
    const std::size_t begin = byte_at(sentence.range.begin), end = byte_at(sentence.range.end);
    const std::string_view bytes = text_.substr(begin, end - begin);
    constexpr std::size_t kLeastWords = 5, kMostBytes = 1000;
    if (sentence.words.size() < kLeastWords || bytes.size() > kMostBytes || !ends_a_sentence(bytes)) return;
    if (pool_.text_.size() + bytes.size() > UINT32_MAX) return;
    pool_.pieces_.push_back(
        {static_cast<std::uint32_t>(pool_.text_.size()), static_cast<std::uint32_t>(bytes.size())});
    pool_.text_.append(bytes);
  }

 private:
  std::size_t byte_at(std::size_t code_point) {
    for (; passed_ < code_point; ++passed_) do {
        ++byte_;
      } while (byte_ < text_.size() && (static_cast<unsigned char>(text_[byte_]) & 0xC0U) == 0x80U);
    return byte_;
  }

  SentencePool& pool_;
  std::string_view text_;
  std::size_t passed_ = 0, byte_ = 0;
};

void SentencePool::add(std::string_view text, const Dictionary& dictionary) {
  PoolSink sink(*this, text);
  need(scan_text(text, dictionary, sink));
}

std::optional<std::uint64_t> TextGenerator::source(std::uint64_t number) const {
  if (number % kCopyEvery != kCopyEvery - 1) return std::nullopt;
  std::uint64_t original = stream(seed_, number, Purpose::source).below(number);
  if (original % kCopyEvery == kCopyEvery - 1) --original;
  return original;
}

void TextGenerator::make(std::uint64_t number, std::string& out) const {
  const std::optional<std::uint64_t> original = source(number);
  Random sentences = stream(seed_, original.value_or(number), Purpose::sentences);
  Random replacements = stream(seed_, number, Purpose::replacements);
  const std::size_t wanted = mean_bytes_ / 2 + sentences.below(mean_bytes_ + 1);
  out.clear();
  out.reserve(wanted + 1024);
  // A paragraph at a time: its sentences are known, and asked for, before the first is copied.
  std::array<std::size_t, 8> paragraph{};
  while (out.size() < wanted) {
    for (std::size_t& sentence : paragraph) {
      sentence = sentences.below(pool_.size());
      if (original && replacements.below(kReplaceOneIn) == 0) sentence = replacements.below(pool_.size());
      pool_.expect(sentence);
    }
    for (const std::size_t sentence : paragraph) pool_.expect_text(sentence);
    for (const std::size_t sentence : paragraph) {
      out.append(pool_[sentence]);
      out.push_back(' ');
    }
    out.back() = '\n';
    out.push_back('\n');
  }
}

std::string TextGenerator::id(std::uint64_t number) {
  return format("s%09llu", static_cast<unsigned long long>(number));
}

std::uint64_t TextGenerator::number_of(std::string_view id) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data() + 1, id.data() + id.size(), number);
  if (id.empty() || error != std::errc() || end != id.data() + id.size())
    throw std::runtime_error("not an id of a made document: " + std::string(id));
  return number;
}

}  // namespace akin::bench
