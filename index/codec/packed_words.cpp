#include "index/codec/packed_words.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "base/parallel.h"
#include "base/waiting.h"
#include "index/codec/encoding.h"
#include "morph/align/gram_places.h"
#include "morph/align/gram_sample.h"
#include "morph/words/text_parts.h"

namespace akin {
namespace {

/// The least size of a text's parts: a part takes some 40 ms.
constexpr std::size_t kPartBytes = std::size_t{4} << 20U;

/// How the bytes of a word follow from its code points.
enum class LengthKind : std::uint8_t { equal = 0, doubled = 1, other = 2 };

/// Numbers classes in the order in which they first occur.
class ClassNumbers {
 public:
  /// Makes a look-up soon afterwards faster: the table of a long text does not fit into caches.
  void prefetch(std::uint64_t word_class) const noexcept {
    if (!slots_.empty()) __builtin_prefetch(&slots_[place_of(word_class)], 1);
  }
  std::uint32_t of(std::uint64_t word_class) {
    if (2 * (classes_.size() + 1) > slots_.size()) grow();
    Slot& slot = slot_of(word_class);
    if (slot.number == kFree) {
      slot = {word_class, static_cast<std::uint32_t>(classes_.size())};
      classes_.push_back(word_class);
    }
    return slot.number;
  }
  [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(classes_); }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffU;
  struct Slot {
    std::uint64_t word_class = 0;
    std::uint32_t number = kFree;
  };

  [[nodiscard]] std::size_t place_of(std::uint64_t word_class) const noexcept {
    return static_cast<std::size_t>(mix64(word_class)) & (slots_.size() - 1);
  }
  Slot& slot_of(std::uint64_t word_class) {
    std::size_t at = place_of(word_class);
    while (slots_[at].number != kFree && slots_[at].word_class != word_class)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), Slot());
    for (std::uint32_t number = 0; number < classes_.size(); ++number)
      slot_of(classes_[number]) = {classes_[number], number};
  }

  std::vector<Slot> slots_;  ///< open addressing, a power of two in size, at most half full
  std::vector<std::uint64_t> classes_;
};

std::int64_t difference(std::uint32_t to, std::uint32_t from) noexcept {
  return std::int64_t{to} - std::int64_t{from};
}

/// Writes the places of words to the end of a string, many at a time.
class PlaceBytes {
 public:
  explicit PlaceBytes(std::string& out) noexcept : out_(out) {}

  [[nodiscard]] std::size_t written() const noexcept { return out_.size() + size_; }
  /// Makes room for one word's place, at most four numbers.
  void begin_word() {
    constexpr std::size_t kMostBytes = 40;
    if (size_ + kMostBytes > bytes_.size()) flush();
  }
  void put(std::uint64_t value) noexcept {
    for (; value >= 0x80; value >>= 7U) bytes_[size_++] = static_cast<char>((value & 0x7fU) | 0x80U);
    bytes_[size_++] = static_cast<char>(value);
  }
  void flush() {
    out_.append(bytes_.data(), size_);
    size_ = 0;
  }

 private:
  std::string& out_;
  std::array<char, 4096> bytes_;
  std::size_t size_ = 0;
};

/// Gives back memory that is not needed. The end of a large block that was never written takes none, and
/// copying the rest into a smaller one would cost more than it saves.
template <class Out>
void give_back(Out& out) {
  constexpr std::size_t kLarge = std::size_t{1} << 18U;
  if (out.size() < kLarge || out.capacity() - out.size() > out.size() / 4) out.shrink_to_fit();
}

/// Reads what PlaceBytes has written; zeros after its end.
class Numbers {
 public:
  explicit Numbers(std::string_view bytes) noexcept : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}
  std::uint64_t next() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(*at_++);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80U) break;
    }
    return value;
  }

 private:
  const char* at_;
  const char* end_;
};

}  // namespace

/// Packs words one by one.
class PackedWords::Packer {
 public:
  /// `text_bytes`: of the text that has the words. Makes room for words of five bytes with a blank, few of
  /// which are shorter on average: what is left over of a large block takes no memory.
  explicit Packer(std::size_t text_bytes) {
    words_.words_.reserve(text_bytes / 5);
    words_.places_.reserve(text_bytes / 5 * 2);
  }
  Packer(const Packer&) = delete;  // places_ refers to words_
  Packer& operator=(const Packer&) = delete;

  void prefetch(std::uint64_t word_class) const noexcept { numbers_.prefetch(word_class); }

  void add(std::uint64_t word_class, TextRange range, TextRange bytes) {
    if (words_.words_.size() % kMilestone == 0) {
      const auto word = static_cast<std::uint32_t>(words_.words_.size());
      words_.milestones_.push_back({places_.written(), word, range_.end, bytes_.end});
    }
    words_.words_.push_back(numbers_.of(word_class));
    const std::int64_t gap = difference(range.begin, range_.end);
    const std::int64_t more = difference(bytes.begin, bytes_.end) - gap;
    places_.begin_word();
    places_.put(zigzag(gap) << 1U | static_cast<std::uint64_t>(more != 0));
    if (more != 0) places_.put(zigzag(more));
    const std::int64_t length = difference(range.end, range.begin);
    const std::int64_t extra = difference(bytes.end, bytes.begin) - length;
    const LengthKind kind = extra == 0        ? LengthKind::equal
                            : extra == length ? LengthKind::doubled
                                              : LengthKind::other;
    places_.put(static_cast<std::uint64_t>(length) << 2U | static_cast<std::uint64_t>(kind));
    if (kind == LengthKind::other) places_.put(zigzag(extra));
    range_ = range;
    bytes_ = bytes;
  }

  [[nodiscard]] PackedWords take() {
    places_.flush();
    words_.classes_ = numbers_.take();
    give_back(words_.classes_);
    give_back(words_.words_);
    give_back(words_.places_);
    give_back(words_.milestones_);
    return std::move(words_);
  }

 private:
  PackedWords words_;
  PlaceBytes places_{words_.places_};
  ClassNumbers numbers_;
  TextRange range_, bytes_;  ///< of the word before
};

struct PackedWords::Grams {
  std::once_flag placed, sampled;
  std::optional<GramPlaces> places;
  std::shared_ptr<const GramSample> sample;
};

PackedWords::PackedWords() : grams_(std::make_shared<Grams>()) {}

PackedWords::Reader::Reader(std::size_t text_bytes) : packer_(std::make_unique<Packer>(text_bytes)) {}

PackedWords::Reader::~Reader() = default;

void PackedWords::Reader::on_sentence(const Sentence& sentence) {
  for (const PlacedClass& word : sentence.classes) packer_->prefetch(word.hash);
  for (const PlacedClass& word : sentence.classes) packer_->add(word.hash, word.range, word.bytes);
}

PackedWords PackedWords::Reader::take() { return packer_->take(); }

Result<PackedWords> PackedWords::of(std::string_view utf8, const Dictionary& dictionary) {
  AKIN_TRY(const TextParts text, TextParts::of(utf8, kPartBytes));
  std::vector<PackedWords> parts(text.size(), PackedWords());
  for_each_index(parts.size(), [&](std::size_t part) {
    Reader reader(text.bytes(part));
    text.scan(part, dictionary, reader);
    parts[part] = reader.take();
  });
  AKIN_CHECK(check_work());  // a scan that was stopped has not read all words
  return parts.size() == 1 ? std::move(parts.front()) : joined(std::move(parts));
}

PackedWords PackedWords::joined(std::vector<PackedWords> parts) {
  std::size_t words = 0, places = 0;
  for (const PackedWords& part : parts) {
    words += part.words_.size();
    places += part.places_.size();
  }
  PackedWords all;
  all.words_.reserve(words);
  all.places_.reserve(places);
  ClassNumbers numbers;
  std::vector<std::uint32_t> number_of;
  for (PackedWords& taken : parts) {
    const PackedWords part = std::move(taken);
    number_of.clear();
    for (const std::uint64_t word_class : part.classes_) number_of.push_back(numbers.of(word_class));
    for (const Milestone& one : part.milestones_) {
      all.milestones_.push_back({all.places_.size() + one.at,
                                 static_cast<std::uint32_t>(all.words_.size()) + one.word, one.range_end,
                                 one.bytes_end});
    }
    for (const std::uint32_t number : part.words_) all.words_.push_back(number_of[number]);
    all.places_ += part.places_;
  }
  all.classes_ = numbers.take();
  give_back(all.classes_);
  give_back(all.milestones_);
  return all;
}

PackedWords::PackedWords(const WordSequence& words) {
  Packer packer(0);
  for (std::size_t i = 0; i < words.classes.size(); ++i)
    packer.add(words.classes[i], words.ranges[i], words.bytes[i]);
  *this = packer.take();
}

WordSequence PackedWords::unpacked() const {
  return unpacked(WordRange{0, static_cast<std::uint32_t>(words_.size())});
}

WordSequence PackedWords::unpacked(WordRange stretch) const {
  WordSequence words;
  if (stretch.size() == 0) return words;
  words.classes.reserve(stretch.size());
  words.ranges.reserve(stretch.size());
  words.bytes.reserve(stretch.size());
  auto next = std::prev(std::ranges::upper_bound(milestones_, stretch.begin, {}, &Milestone::word));
  Numbers numbers(std::string_view(places_).substr(next->at));
  std::uint64_t range_end = 0, bytes_end = 0;  // distances back wrap around
  for (std::uint32_t i = next->word; i < stretch.end; ++i) {
    if (next != milestones_.end() && next->word == i) {
      range_end = next->range_end;
      bytes_end = next->bytes_end;
      ++next;
    }
    const std::uint64_t distance = numbers.next();
    const auto gap = static_cast<std::uint64_t>(unzigzag(distance >> 1U));
    const std::uint64_t more =
        (distance & 1U) == 0 ? 0 : static_cast<std::uint64_t>(unzigzag(numbers.next()));
    const std::uint64_t length = numbers.next();
    const std::uint64_t code_points = length >> 2U;
    std::uint64_t extra = 0;
    switch (LengthKind{static_cast<std::uint8_t>(length & 3U)}) {
      case LengthKind::equal:
        break;
      case LengthKind::doubled:
        extra = code_points;
        break;
      case LengthKind::other:
        extra = static_cast<std::uint64_t>(unzigzag(numbers.next()));
        break;
    }
    const std::uint64_t range_begin = range_end + gap;
    const std::uint64_t bytes_begin = bytes_end + gap + more;
    range_end = range_begin + code_points;
    bytes_end = bytes_begin + code_points + extra;
    if (i < stretch.begin) continue;
    words.classes.push_back(classes_[words_[i]]);
    words.ranges.push_back({static_cast<std::uint32_t>(range_begin), static_cast<std::uint32_t>(range_end)});
    words.bytes.push_back({static_cast<std::uint32_t>(bytes_begin), static_cast<std::uint32_t>(bytes_end)});
  }
  return words;
}

bool PackedWords::is_same(const PackedWords& other) const {
  if (classes_ != other.classes_ || words_ != other.words_) return false;
  const auto words = static_cast<std::uint32_t>(words_.size());
  constexpr std::uint32_t kStretch = 1U << 16U;
  for (std::uint32_t at = 0; at < words; at += std::min(kStretch, words - at)) {
    const WordRange stretch{at, at + std::min(kStretch, words - at)};
    const WordSequence own = unpacked(stretch), others = other.unpacked(stretch);
    if (own.ranges != others.ranges || own.bytes != others.bytes) return false;
  }
  return true;
}

bool PackedWords::keeps_grams() const noexcept { return words_.size() > GramSample::kLongText; }

const GramPlaces* PackedWords::grams_of(std::uint64_t shape) const {
  if (!keeps_grams()) return nullptr;
  std::call_once(grams_->placed, [&] { grams_->places.emplace(numbered(), shape); });
  return grams_->places->shape() == shape ? &*grams_->places : nullptr;
}

std::shared_ptr<const GramSample> PackedWords::gram_sample() const {
  const auto made = [&] { return std::make_shared<const GramSample>(numbered()); };
  if (!keeps_grams()) return made();
  std::call_once(grams_->sampled, [&] { grams_->sample = made(); });
  return grams_->sample;
}

std::size_t PackedWords::bytes() const noexcept {
  const std::size_t size = words_.size();
  const std::size_t grams = keeps_grams() ? GramPlaces::bytes_of(size) + GramSample::bytes_of(size) : 0;
  return grams + sizeof(Grams) + classes_.size() * sizeof(std::uint64_t) + size * sizeof(std::uint32_t) +
         places_.size() + milestones_.size() * sizeof(Milestone);
}

}  // namespace akin
