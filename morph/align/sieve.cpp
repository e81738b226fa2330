#include "morph/align/sieve.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cassert>
#include <utility>

#include "base/large_buffer.h"
#include "base/utf8.h"
#include "morph/text/stretch.h"
#include "morph/text/token_words.h"

namespace akin {
namespace {

/// Passes the words of a stretch of text on.
template <class Take>
class StretchSink final : public SentenceSink {
 public:
  explicit StretchSink(Take take) : take_(std::move(take)) {}
  [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::classes; }
  void on_sentence(const Sentence& sentence) override {
    for (const PlacedClass& word : sentence.classes) take_(word);
  }

 private:
  Take take_;
};

/// Numbers A's classes from 1.
class ClassesOfA {
 public:
  explicit ClassesOfA(std::span<const std::uint64_t> words) {
    for (const std::uint64_t hash : words)
      if (numbers_.emplace(hash, static_cast<std::uint32_t>(classes_.size())).second)
        classes_.push_back(hash);
    while (numbers_.contains(classes_[0])) ++classes_[0];
  }
  /// 0 for one that A does not have.
  [[nodiscard]] std::uint32_t operator()(std::uint64_t hash) const {
    const auto found = numbers_.find(hash);
    return found == numbers_.end() ? 0 : found->second;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& by_number() const noexcept { return classes_; }

 private:
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<std::uint64_t> classes_{0};
};

/// Tokens of more bytes are read each time.
constexpr std::uint32_t kLongToken = 48;
/// Reading costs ten times as much as distinguishing tokens, so it is not worth it if more than these bytes,
/// and one in kSlowShare of the text, must be read.
constexpr std::uint64_t kSlowBytes = std::uint64_t{1} << 16U;
constexpr std::uint64_t kSlowShare = 8;

constexpr std::uint32_t kMilestoneBytes = 4096;

}  // namespace

/// Makes a SievedText, token by token.
class Sieve {
 public:
  Sieve(std::string_view text, std::span<const std::uint64_t> a, const Dictionary& dictionary)
      : text_(text), dictionary_(dictionary), tokens_(dictionary, text.size()), classes_(a) {
    sieved_.classes_ = classes_.by_number();
    // Few words have less than four bytes with the blank; what is not written to takes no memory.
    reserve_large(sieved_.words_, text.size() / 4);
    sieved_.milestones_.push_back({});
  }

  std::optional<SievedText> run() {
    if (!for_each_token(text_, [this](const Token& token) { return take(token); })) return std::nullopt;
    if (joining_) {
      read_joined();
    } else {
      add_held();
    }
    add_milestone(static_cast<std::uint32_t>(text_.size()));
    for (std::size_t i = 1; i < sieved_.milestones_.size(); ++i) {
      const SievedText::Milestone& before = sieved_.milestones_[i - 1];
      SievedText::Milestone& one = sieved_.milestones_[i];
      const std::string_view between = text_.substr(before.byte, one.byte - before.byte);
      one.code_point = before.code_point + static_cast<std::uint32_t>(count_code_points(between));
    }
    return std::move(sieved_);
  }

 private:
  bool take(const Token& token) {
    const TokenWords::Meaning meaning = tokens_.of(token, classes_);
    const bool is_joined = joining_ || meaning == TokenWords::kJoins;
    if (is_joined) [[unlikely]] {
      join(token, meaning);
    } else {
      add_held();
      hold(token, meaning);
    }
    return (!is_joined && token.size <= kLongToken) || is_worth_it(token);
  }

  [[nodiscard]] bool is_worth_it(const Token& token) noexcept {
    if (token.size > kLongToken) slow_bytes_ += token.size;
    const std::uint64_t joined = joining_ ? end_ - begin_ : 0;
    return slow_bytes_ + joined <= kSlowBytes + token.end() / kSlowShare;
  }

  /// Keeps a token back: the next one may belong to it.
  void hold(const Token& token, TokenWords::Meaning meaning) {
    holds_ = true;
    begin_ = token.begin;
    meaning_ = meaning;
    if (meaning >= TokenWords::kSeveral) [[unlikely]] {
      const auto numbers = tokens_.numbers(meaning);
      numbers_.assign(numbers.begin(), numbers.end());
    }
  }

  /// Adds the token that was kept back: it is independent, and so are its neighbours.
  void add_held() {
    if (!holds_) return;
    holds_ = false;
    if (begin_ >= next_milestone_) [[unlikely]] {
      add_milestone(begin_);
      next_milestone_ = begin_ + kMilestoneBytes;
    }
    if (meaning_ < TokenWords::kSeveral) [[likely]] {
      sieved_.words_.push_back(meaning_);
    } else {
      sieved_.words_.insert(sieved_.words_.end(), numbers_.begin(), numbers_.end());
    }
  }

  void add_milestone(std::uint32_t byte) {
    sieved_.milestones_.push_back({static_cast<std::uint32_t>(sieved_.words_.size()), byte, 0});
  }

  /// Takes a token that is not independent, or that comes after one: those in a row are read together, with
  /// the tokens before and after them.
  void join(const Token& token, TokenWords::Meaning meaning) {
    if (meaning == TokenWords::kJoins) {
      if (!joining_ && !holds_) begin_ = token.begin;
      holds_ = false;
      joining_ = true;
      ends_alone_ = false;
    } else if (ends_alone_) {
      read_joined();
      hold(token, meaning);
      return;
    } else {
      ends_alone_ = true;
    }
    end_ = token.end();
  }

  void read_joined() {
    joining_ = ends_alone_ = false;
    slow_bytes_ += end_ - begin_;
    StretchSink sink([this](const PlacedClass& word) { sieved_.words_.push_back(classes_(word.hash)); });
    scan_stretch(text_.substr(begin_, end_ - begin_), dictionary_, sink);
  }

  const std::string_view text_;
  const Dictionary& dictionary_;
  TokenWords tokens_;
  const ClassesOfA classes_;
  SievedText sieved_;
  std::uint32_t next_milestone_ = kMilestoneBytes;

  bool holds_ = false;  ///< a token is kept back
  bool joining_ = false,
       ends_alone_ = false;            ///< tokens are to be read together; the last one is independent
  std::uint32_t begin_ = 0, end_ = 0;  ///< of the token that is kept back (no end), or of these
  TokenWords::Meaning meaning_ = 0;
  std::vector<std::uint32_t> numbers_;  ///< of the token that is kept back, if they are several
  std::uint64_t slow_bytes_ = 0;        ///< that were read
};

std::optional<SievedText> SievedText::of(std::string_view b, std::span<const std::uint64_t> a,
                                         const Dictionary& dictionary) {
  return Sieve(b, a, dictionary).run();
}

WordSequence SievedText::read(WordRange stretch, std::string_view text, const Dictionary& dictionary) const {
  WordSequence found;
  if (stretch.size() == 0) return found;
  const auto from = std::ranges::upper_bound(milestones_, stretch.begin, {}, &Milestone::word) - 1;
  const auto to = std::ranges::lower_bound(milestones_, stretch.end, {}, &Milestone::word);
  std::uint32_t next = from->word;
  StretchSink sink([&](const PlacedClass& word) {
    const std::uint32_t at = next++;
    if (at < stretch.begin || at >= stretch.end) return;
    found.classes.push_back(word.hash);
    found.ranges.push_back({word.range.begin + from->code_point, word.range.end + from->code_point});
    found.bytes.push_back({word.bytes.begin + from->byte, word.bytes.end + from->byte});
  });
  scan_stretch(text.substr(from->byte, to->byte - from->byte), dictionary, sink);
  assert(next == to->word);
  return found;
}

bool can_be_sieved(std::string_view b, const Dictionary& dictionary) {
  constexpr std::size_t kParts = 8, kPartBytes = std::size_t{1} << 15U;
  std::size_t slow = 0, seen = 0;
  for (std::size_t i = 0; i < kParts; ++i) {
    const std::size_t begin = b.find_first_of(" \n", b.size() / kParts * i);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(b.find_last_of(" \n", begin + kPartBytes), b.size());
    const std::string_view part = b.substr(begin, end - begin);
    TokenWords tokens(dictionary, part.size());
    seen += part.size();
    for_each_token(part, [&](const Token& token) {
      if (token.size > kLongToken || tokens.of(token, [](std::uint64_t) { return 0U; }) == TokenWords::kJoins)
        slow += token.size;
      return true;
    });
  }
  return seen > 0 && slow * kSlowShare * 3 <= seen;
}

}  // namespace akin
