#include "index/pg/documents/content_reader.h"

#include <algorithm>
#include <utility>

#include "index/search/sequence_beside.h"
#include "index/store/stored_document.h"
#include "index/write/derived_features.h"

namespace akin::pg {
namespace {

/// Looking up one posting takes as long as reading so many of them one after the other.
constexpr std::uint64_t kReadInLookUp = 128;
/// A window's: 8 bytes each.
constexpr std::uint64_t kPostingsOfWindow = std::uint64_t{32} << 20U;

/// Of one answer: longer ones take more memory on both sides, each several times.
constexpr std::uint64_t kSliceBytes = std::uint64_t{4} << 20U;
/// Of a text at first: with where the parts of one of eight gigabytes are.
constexpr std::uint64_t kHeadBytes = std::uint64_t{64} << 10U;

Error has_no_content(std::int64_t number) {
  return corrupt(name_of_document(number), "it has neither text nor sequence");
}

using FeaturesOfDocuments = std::map<std::int64_t, std::vector<Feature>>;

/// Whether a block may have a posting of one of the documents.
bool may_have(const Block& block, const FeaturesOfDocuments& documents) {
  const auto first = documents.lower_bound(block.first);
  return first != documents.end() && first->first <= block.last;
}

/// Adds the features of the documents among postings.
Result<void> take_features(const KeyPostings& postings, FeaturesOfDocuments& documents) {
  for (const StoredPosting& one : postings.rare) {
    if (const auto own = documents.find(one.document); own != documents.end())
      own->second.push_back(feature_of(one.key));
  }
  for (const FrequentList& list : postings.frequent) {
    for (const auto& block : list.blocks) {
      if (!may_have(*block, documents)) continue;
      AKIN_CHECK(for_each_posting(*block, list.key, [&](std::int64_t number, std::uint32_t) {
        if (const auto own = documents.find(number); own != documents.end())
          own->second.push_back(feature_of(list.key));
      }));
    }
  }
  return {};
}

/// Makes each document's features ascend, each once.
void put_in_order(FeaturesOfDocuments& documents) {
  for (auto& [number, own] : documents) {
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
}

/// The leading bits of a sequence's features, ascending, each once.
std::vector<std::uint64_t> leading_bits(const StoredSequence& stored) {
  std::vector<std::uint64_t> leading;
  leading.reserve(stored.sequence.hashes.size());
  for (const Feature hash : stored.sequence.hashes) leading.push_back(static_cast<std::uint64_t>(hash));
  std::ranges::sort(leading);
  leading.erase(std::unique(leading.begin(), leading.end()), leading.end());
  return leading;
}

/// Replaces the leading bits in a sequence by the document's features, which ascend.
Result<void> fill_in(StoredSequence& stored, const std::vector<Feature>& own, std::int64_t number) {
  const auto bits_of = [&](Feature feature) { return static_cast<std::uint64_t>(feature) >> stored.shift; };
  if (!std::ranges::equal(own, leading_bits(stored), {}, bits_of))
    return corrupt(name_of_document(number), "a feature of its sequence is in no posting or in several");
  for (Feature& hash : stored.sequence.hashes)
    hash = *std::ranges::lower_bound(own, static_cast<std::uint64_t>(hash), {}, bits_of);
  return {};
}

/// Of features, ascending, each once.
std::vector<std::int64_t> keys_of(std::span<const Feature> features) {
  std::vector<std::int64_t> keys;
  keys.reserve(features.size());
  for (const Feature feature : features) keys.push_back(key_of(feature));
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

KeyRange with_leading(std::uint64_t leading, unsigned shift) {
  const std::uint64_t first = leading << shift;
  return {key_of(Feature{first}), key_of(Feature{first | ((std::uint64_t{1} << shift) - 1)})};
}

}  // namespace

Result<std::map<std::int64_t, std::string>> ContentReader::read(
    const std::string& column, const std::vector<std::int64_t>& numbers) const {
  AKIN_TRY(
      const Rows rows,
      look_ups_.run(of_store("SELECT doc, " + column + " FROM akin.contents_@ WHERE doc = ANY($1)", store_),
                    Params().numbers(numbers)));
  std::map<std::int64_t, std::string> found;
  for (std::size_t row = 0; row < rows.size(); ++row) found.emplace(rows.number(row, 0), rows.bytes(row, 1));
  return found;
}

Result<std::string> ContentReader::read_one(const std::string& column, std::int64_t number) const {
  AKIN_TRY(auto found, read(column, {number}));
  if (found.empty()) return has_no_content(number);
  return std::move(found.begin()->second);
}

Result<std::string> ContentReader::text(std::int64_t number) const {
  const auto here = texts_.find(number);
  return here == texts_.end() ? read_one("body", number) : Result<std::string>(here->second);
}

Result<void> ContentReader::prefetch_texts(const std::vector<std::int64_t>& numbers) const {
  if (numbers.size() < 2 || texts_.contains(numbers.front())) return {};
  AKIN_TRY(texts_, read("body", numbers));
  return {};
}

Result<ContentReader::Slice> ContentReader::read_slice(const Column& column, std::uint64_t begin,
                                                       std::uint64_t bytes) const {
  AKIN_TRY(Rows rows, look_ups_.run(of_store("SELECT coalesce(octet_length(" + column.name +
                                                 "), 0)::bigint, substr(" + column.name +
                                                 ", $2::bigint::int, $3::bigint::int) FROM akin.contents_@"
                                                 " WHERE doc = $1",
                                             store_),
                                    Params()
                                        .number(column.number)
                                        .number(static_cast<std::int64_t>(begin + 1))
                                        .number(static_cast<std::int64_t>(bytes))));
  if (rows.size() == 0) return has_no_content(column.number);
  const std::string_view there = rows.bytes(0, 1);
  return Slice{static_cast<std::uint64_t>(rows.number(0, 0)), std::move(rows), there};
}

Result<void> ContentReader::add_slices(const Column& column, std::uint64_t begin, std::uint64_t end,
                                       std::string& to) const {
  while (begin < end) {
    AKIN_TRY(const Slice slice, read_slice(column, begin, std::min(end - begin, kSliceBytes)));
    if (slice.bytes.empty())
      return corrupt(name_of_document(column.number), "its column '" + column.name + "' ends early");
    to += slice.bytes;
    begin += slice.bytes.size();
  }
  return {};
}

Result<StoredBytes> ContentReader::open_text(std::int64_t number) const {
  const Column body{"body", number};
  AKIN_TRY(const Slice first, read_slice(body, 0, kHeadBytes));
  return StoredBytes{
      first.of,
      [this, body, head = std::string(first.bytes)](std::uint64_t begin, std::uint64_t end,
                                                    std::string& buffer) -> Result<std::string_view> {
        if (end <= head.size()) return std::string_view(head).substr(begin, end - begin);
        buffer.clear();
        buffer.reserve(end - begin);
        AKIN_CHECK(add_slices(body, begin, end, buffer));
        return std::string_view(buffer);
      }};
}

Result<std::map<std::int64_t, std::string>> ContentReader::short_words(
    const std::vector<std::int64_t>& numbers) const {
  constexpr std::uint64_t kMost = kLongText / 2;  // codes of a text of alternating letters and spaces
  return read("CASE WHEN octet_length(words) <= " + std::to_string(kMost) + " THEN words END", numbers);
}

Result<std::string> ContentReader::words(std::int64_t number) const {
  const Column column{"words", number};
  AKIN_TRY(const Slice first, read_slice(column, 0, kSliceBytes));
  std::string words;
  words.reserve(first.of);
  words = first.bytes;
  AKIN_CHECK(add_slices(column, first.bytes.size(), first.of, words));
  return words;
}

bool ContentReader::has_looked_up(const std::vector<FeatureCount>& features) const {
  return postings_.kept(keys_of(features_of(features))) != nullptr;
}

Result<std::uint64_t> ContentReader::count_shared(std::int64_t number,
                                                  const std::vector<FeatureCount>& features) const {
  AKIN_TRY(const auto postings, postings_.read_kept(keys_of(features_of(features))));
  std::uint64_t x = 0;
  const auto add = [&](std::int64_t key, std::uint32_t count) {
    x += std::min(std::ranges::lower_bound(features, feature_of(key), {}, &FeatureCount::feature)->count,
                  count);
  };
  for (const StoredPosting& one : postings->rare) {
    if (one.document == number) add(one.key, one.count);
  }
  for (const FrequentList& list : postings->frequent) {
    for (const auto& block : list.blocks) {
      if (number < block->first || block->last < number) continue;
      AKIN_CHECK(for_each_posting(*block, list.key, [&](std::int64_t document, std::uint32_t count) {
        if (document == number) add(list.key, count);
      }));
    }
  }
  return x;
}

Result<std::string> ContentReader::file(std::int64_t number) const { return read_one("file", number); }

Result<void> ContentReader::prefetch_sequences(const std::vector<std::int64_t>& numbers) const {
  if (numbers.size() < 2 || sequences_.contains(numbers.front())) return {};
  AKIN_TRY(sequences_, read("sequence", numbers));
  return prefetch_derived_from(sequences_);
}

Result<void> ContentReader::prefetch_derived_from(
    const std::map<std::int64_t, std::string>& sequences) const {
  if (derive_ == nullptr) return {};
  std::vector<std::int64_t> numbers;
  for (const auto& [number, content] : sequences) {
    AKIN_TRY(const StoredSequence sequence, sequence_of(content, number));
    if (sequence.derived) numbers.push_back(number);
  }
  return prefetch_texts(numbers);
}

Result<FeatureSequence> ContentReader::derived(const TextOf& document, const DerivedSequence& stored) const {
  const std::string where = name_of_document(document.number);
  AKIN_TRY(std::string body, text(document.number));
  AKIN_TRY(StoredText text, StoredText::owning(std::move(body), document.text_bytes, where));
  AKIN_TRY(const std::string_view whole, text.read());
  return derive_sequence(stored, whole, derive_, where);
}

Result<std::string> ContentReader::stored_sequence(std::int64_t number) const {
  const auto here = sequences_.find(number);
  return here == sequences_.end() ? read_one("sequence", number) : Result<std::string>(here->second);
}

Result<FeatureSequence> ContentReader::sequence(const TextOf& document) const {
  if (auto here = whole_.extract(document.number)) return std::move(here.mapped());
  AKIN_TRY(std::string content, stored_sequence(document.number));
  AKIN_TRY(auto whole, complete({&document, 1}, {{document.number, std::move(content)}}));
  return std::move(whole.begin()->second);
}

Result<void> ContentReader::prefetch_whole(const std::vector<TextOf>& documents) const {
  std::vector<std::int64_t> numbers;
  numbers.reserve(documents.size());
  for (const TextOf& one : documents) numbers.push_back(one.number);
  if (numbers.empty() || whole_.contains(numbers.front())) return {};
  // So far look-ups were as expensive as a pass: more of them would be more expensive.
  if (looked_up_ > all_postings_ / kReadInLookUp && !window_.contains(numbers.front())) {
    AKIN_TRY(window_,
             FeatureWindow::read(look_ups_.connection(), store_, numbers.front(), kPostingsOfWindow));
  }
  AKIN_TRY(const auto contents, read("sequence", numbers));
  AKIN_CHECK(prefetch_derived_from(contents));
  AKIN_TRY(whole_, complete(documents, contents));
  return {};
}

Result<std::map<std::int64_t, FeatureSequence>> ContentReader::complete(
    std::span<const TextOf> documents, const std::map<std::int64_t, std::string>& contents) const {
  std::map<std::int64_t, StoredSequence> stored;
  FeaturesOfDocuments features;
  std::vector<KeyRange> ranges;
  for (const TextOf& document : documents) {
    const std::int64_t number = document.number;
    const auto content = contents.find(number);
    if (content == contents.end()) return has_no_content(number);
    AKIN_TRY(StoredSequence sequence, sequence_of(content->second, number));
    if (sequence.derived) {
      AKIN_TRY(sequence.sequence, derived(document, *sequence.derived));
    }
    if (sequence.shift != 0) {
      auto gathered = window_.take(number);
      if (!gathered) {
        for (const std::uint64_t bits : leading_bits(sequence))
          ranges.push_back(with_leading(bits, sequence.shift));
      }
      features.emplace(number, std::move(gathered).value_or(std::vector<Feature>()));
    }
    stored.emplace(number, std::move(sequence));
  }
  // Sequences that lack bits lack the same number: ranges are equal or apart.
  std::ranges::sort(ranges, {}, &KeyRange::first);
  const auto same = [](const KeyRange& left, const KeyRange& right) { return left.first == right.first; };
  ranges.erase(std::unique(ranges.begin(), ranges.end(), same), ranges.end());
  if (!ranges.empty()) {
    looked_up_ += ranges.size();
    AKIN_TRY(const KeyPostings postings, postings_.read_ranges(ranges));
    AKIN_CHECK(take_features(postings, features));
  }
  put_in_order(features);
  std::map<std::int64_t, FeatureSequence> whole;
  for (auto& [number, sequence] : stored) {
    if (sequence.shift != 0) AKIN_CHECK(fill_in(sequence, features.at(number), number));
    whole.emplace(number, std::move(sequence.sequence));
  }
  return whole;
}

Result<FeatureSequence> ContentReader::sequence_beside(const TextOf& document, std::span<const Feature> query,
                                                       std::optional<std::uint64_t> x) const {
  const std::int64_t number = document.number;
  AKIN_TRY(const std::string content, stored_sequence(number));
  AKIN_TRY(StoredSequence stored, sequence_of(content, number));
  if (stored.derived) return derived(document, *stored.derived);
  SequenceBeside beside(std::move(stored), query);
  if (x) {
    if (std::optional<FeatureSequence> known = beside.sharing(*x)) return *std::move(known);
  }
  std::vector<KeyRange> keys;
  for (const Feature feature : beside.possible()) keys.push_back({key_of(feature), key_of(feature)});
  FeaturesOfDocuments features{{number, {}}};
  if (keys.empty()) return std::move(beside).complete([](Feature) { return false; });
  if (const auto known = postings_.kept(keys_of(query))) {
    AKIN_CHECK(take_features(*known, features));
  } else {
    AKIN_TRY(const KeyPostings postings, postings_.read_ranges(keys));
    AKIN_CHECK(take_features(postings, features));
  }
  put_in_order(features);
  const std::vector<Feature>& own = features.at(number);
  return std::move(beside).complete([&](Feature one) { return std::ranges::binary_search(own, one); });
}

}  // namespace akin::pg
