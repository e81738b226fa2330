#include "index/search/text_aligner.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "morph/words/has_word.h"

namespace akin {
namespace {

TextRange range_of(WordRange words, const WordRange& passage, const std::vector<TextRange>& ranges) {
  if (words.size() > 0) return {ranges[words.begin].begin, ranges[words.end - 1].end};
  const std::uint32_t place =
      words.begin > passage.begin ? ranges[words.begin - 1].end : ranges[words.begin].begin;
  return {place, place};
}

/// Counts the words of B from the one at `first`.
void count_from(std::uint32_t first, AlignedPassage& passage) {
  passage.b_words = {passage.b_words.begin - first, passage.b_words.end - first};
  for (Fragment& fragment : passage.fragments) fragment.b -= first;
}

/// Reads as much of a text as has all of these words, and counts their bytes from there. Words need not be
/// written in their order.
Result<std::string_view> read_around(WordSequence& words, StoredText& text) {
  TextRange around = words.bytes.front();
  for (const TextRange& bytes : words.bytes) {
    if (bytes.begin > bytes.end) return text.no_such_words();
    around = {std::min(around.begin, bytes.begin), std::max(around.end, bytes.end)};
  }
  AKIN_TRY(const std::string_view read, text.read(around.begin, around.end));
  for (TextRange& bytes : words.bytes) bytes = {bytes.begin - around.begin, bytes.end - around.begin};
  return read;
}

/// Whether a sequence lacks words of the text between this one and the one before it.
bool lacks_words_before(std::uint32_t word, const WrittenWords& of) {
  const std::uint32_t begin = of.words.bytes[word - 1].end, end = of.words.bytes[word].begin;
  return end > begin && has_word(of.text.substr(begin, end - begin));
}

ChangeCounts counts_of(const std::vector<WordChange>& changes) {
  ChangeCounts counts{};
  for (const WordChange& one : changes) {
    counts[static_cast<std::size_t>(one.kind)] +=
        std::max(one.a.size(), one.kind == ChangeKind::inserted ? one.b.size() : 0U);
  }
  return counts;
}

}  // namespace

Result<std::shared_ptr<const TextAligner>> TextAligner::of(std::string_view text, WordSequence words,
                                                           std::shared_ptr<const Dictionary> dictionary,
                                                           const AlignOptions& options, TextSeeds seeds) {
  AKIN_CHECK(options.check());
  return std::shared_ptr<const TextAligner>(
      std::make_shared<TextAligner>(text, std::move(words), std::move(dictionary), options, seeds));
}

WordRange TextAligner::words_of(TextRange range) const {
  const auto first = std::ranges::lower_bound(a_.ranges, range.begin, {}, &TextRange::begin);
  const auto last = std::ranges::lower_bound(first, a_.ranges.end(), range.end, {}, &TextRange::begin);
  return {static_cast<std::uint32_t>(first - a_.ranges.begin()),
          static_cast<std::uint32_t>(last - a_.ranges.begin())};
}

std::optional<Seeds> TextAligner::seeds_of(const TextSeeds& seeds, SeedPlaces& by_feature) const {
  if (seeds.ranges.empty()) return std::nullopt;
  std::vector<std::uint32_t> places;
  places.reserve(seeds.ranges.size());
  by_feature.reserve(seeds.ranges.size());
  const std::size_t length = static_cast<unsigned>(std::bit_width(seeds.shape));
  for (std::size_t at = 0; at < seeds.ranges.size(); ++at) {
    const TextRange range = seeds.ranges[at];
    const std::size_t placed = places.size();
    // One character may be two words, such as a fraction: several words may begin or end where the seed does.
    for (std::size_t first = words_of(range).begin; first + length <= a_.ranges.size(); ++first) {
      if (a_.ranges[first].begin != range.begin) break;
      if (a_.ranges[first + length - 1].end != range.end) continue;
      places.push_back(static_cast<std::uint32_t>(first));
      by_feature.emplace_back(seeds.features[at], places.back());
    }
    if (places.size() == placed) return std::nullopt;
  }
  std::ranges::sort(by_feature);
  return std::make_optional<Seeds>(a_.classes, places, seeds.shape);
}

std::uint64_t TextAligner::words_in(std::vector<TextRange> ranges) const {
  std::ranges::sort(ranges, {}, &TextRange::begin);
  std::uint64_t words = 0;
  std::uint32_t end = 0;
  for (const TextRange& range : ranges) {
    const WordRange these = words_of(range);
    if (these.end <= end) continue;
    words += these.end - std::max(these.begin, end);
    end = these.end;
  }
  return words;
}

std::vector<Feature> TextAligner::slight_features(const FeatureSequence& features) const {
  std::vector<Feature> slight;
  for (std::size_t at = 0; at < features.hashes.size(); ++at) {
    const WordRange words = words_of(features.ranges[at]);
    if (!weights().reach(WordWeights::kWord + 1, {&words, 1}, a_.classes))
      slight.push_back(features.hashes[at]);
  }
  if (slight.size() == features.hashes.size()) return {};
  std::ranges::sort(slight);
  slight.erase(std::unique(slight.begin(), slight.end()), slight.end());
  return slight;
}

Result<AlignedText> align_texts(std::string_view a, std::string_view b,
                                std::shared_ptr<const Dictionary> dictionary, ChangeDetail detail) {
  AKIN_TRY(WordSequence words, read_words(a, *dictionary));
  AKIN_TRY(const auto aligner, TextAligner::of(a, std::move(words), std::move(dictionary)));
  return aligner->align(b, detail);
}

bool TextAligner::may_share(const PackedWords& b) const {
  if (!seeds_) return true;
  const NumberedWords words = b.numbered();
  return aligner_.may_share(*seeds_, words,
                            seeds_->are_few_beside(words.size()) ? b.grams_of(seeds_->shape()) : nullptr);
}

bool TextAligner::may_share_by_codes(std::string_view b, std::span<const Feature> shared) const {
  // To look for one seed takes a fifth of the time that it takes to look for all.
  constexpr std::size_t kFew = 4;
  if (!seeds_) return true;
  std::call_once(is_coded_, [&] { coded_.emplace(a_.classes, *seeds_, aligner_.options()); });
  std::vector<std::uint32_t> places;
  for (const Feature feature : shared) {
    const std::size_t known = places.size();
    for (auto one = std::ranges::lower_bound(places_, feature, {}, &SeedPlaces::value_type::first);
         one != places_.end() && one->first == feature; ++one) {
      places.push_back(one->second);
    }
    if (places.size() == known || places.size() > kFew) return coded_->may_share(b);
  }
  return places.empty() ? coded_->may_share(b) : coded_->may_share(b, places);
}

TextMatch TextAligner::match(const PackedWords& b, bool near_seeds) const {
  TextMatch match;
  match.words = {0, 0, words(), b.numbered().size()};
  if (near_seeds && !may_share(b)) return match;
  match.alignment = aligner_.align(b.numbered());
  match.words.a = match.alignment.a_matched;
  match.words.b = match.alignment.b_matched;
  return match;
}

Passage TextAligner::outline(const AlignedPassage& one) const {
  Passage passage{.a = one.a, .b = {}, .features = 0, .words = one.a_matched, .changes = {}, .gaps = {}};
  std::uint32_t end = one.a_words.begin;
  for (const Fragment& fragment : one.fragments) {
    if (fragment.a > end + kCountedGap)
      passage.gaps.push_back({a_.ranges[end].begin, a_.ranges[fragment.a - 1].end});
    end = std::max(end, fragment.a_end());
  }
  return passage;
}

std::vector<Passage> TextAligner::outline(const Alignment& found) const {
  std::vector<Passage> passages;
  passages.reserve(found.passages.size());
  for (const AlignedPassage& one : found.passages) passages.push_back(outline(one));
  return passages;
}

std::vector<std::vector<WordRange>> TextMatch::passages() const {
  std::vector<std::vector<WordRange>> passages;
  for (const AlignedPassage& one : alignment.passages) {
    std::vector<WordRange>& ranges = passages.emplace_back();
    for (const Fragment& fragment : one.fragments) {
      if (ranges.empty() || fragment.a > ranges.back().end) {
        ranges.push_back({fragment.a, fragment.a_end()});
      } else {
        ranges.back().end = std::max(ranges.back().end, fragment.a_end());
      }
    }
  }
  return passages;
}

void TextAligner::add_passage(const AlignedPassage& one, const WrittenWords& b, ChangeDetail detail,
                              AlignedText& aligned) const {
  Passage& passage = aligned.passages.emplace_back(outline(one));
  passage.b = one.b;
  if (detail == ChangeDetail::none) return;
  const WrittenWords a{text_, a_};
  std::vector<WordChange> changes = find_changes(one, a, b, *dictionary_);
  // What B alone has is not inserted where words of A were not to be aligned: they may be the same.
  std::erase_if(changes, [&](const WordChange& change) {
    return change.kind == ChangeKind::inserted && change.a.begin > one.a_words.begin &&
           change.a.begin < one.a_words.end && lacks_words_before(change.a.begin, a);
  });
  passage.changes = counts_of(changes);
  if (detail == ChangeDetail::counted) return;
  std::vector<TextChange>& list = aligned.changes.emplace_back();
  for (const WordChange& change : changes) {
    list.push_back({change.kind, range_of(change.a, one.a_words, a_.ranges),
                    range_of(change.b, one.b_words, b.words.ranges)});
  }
}

Result<AlignedText> TextAligner::align(std::string_view b, ChangeDetail detail) const {
  AKIN_TRY(const WordSequence words, read_words(b, *dictionary_));
  const Alignment found = aligner_.align(words);
  AlignedText aligned;
  aligned.words = {found.a_matched, found.b_matched, this->words(), words.classes.size()};
  for (const AlignedPassage& one : found.passages) add_passage(one, {b, words}, detail, aligned);
  return aligned;
}

Result<AlignedText> TextAligner::align(StoredText& b, const PackedWords& words, ChangeDetail detail) const {
  return describe(aligner_.align(words.numbered()), b, words, detail);
}

Result<AlignedText> TextAligner::describe(Alignment found, StoredText& b, const PackedWords& words,
                                          ChangeDetail detail) const {
  AlignedText aligned;
  aligned.words = {found.a_matched, found.b_matched, this->words(), words.numbered().size()};
  for (AlignedPassage& one : found.passages) {
    WordSequence stretch = words.unpacked(one.b_words);
    one.b = {stretch.ranges.front().begin, stretch.ranges.back().end};
    aligned.b_bytes.push_back({stretch.bytes.front().begin, stretch.bytes.back().end});
    count_from(one.b_words.begin, one);
    AKIN_TRY(const std::string_view text, read_around(stretch, b));
    add_passage(one, {text, stretch}, detail, aligned);
  }
  return aligned;
}

}  // namespace akin
