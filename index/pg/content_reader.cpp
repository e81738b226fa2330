#include "index/pg/content_reader.h"

#include <algorithm>
#include <utility>

#include "index/pg/content_servers.h"
#include "index/pg/stored.h"
#include "index/sequence_beside.h"

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

KeyRange with_leading(std::uint64_t leading, unsigned shift) {
  const std::uint64_t first = leading << shift;
  return {key_of(Feature{first}), key_of(Feature{first | ((std::uint64_t{1} << shift) - 1)})};
}

}  // namespace

Result<std::map<std::int64_t, ContentReader::Stored>> ContentReader::read(
    const std::string& column, const std::vector<std::int64_t>& numbers) const {
  const auto statement = [&](const std::string& part) {
    return of_store("SELECT doc, " + part + ", " + column + " FROM akin.contents_@ WHERE doc = ANY($1)",
                    store_);
  };
  AKIN_TRY(const std::vector<Rows> answers,
           ask_servers<std::vector<Rows>>(connection_, parts_, {}, [&](ContentServers& servers) {
             return servers.ask(statement, Params().numbers(numbers), "0::bigint");
           }));
  std::map<std::int64_t, Stored> found;
  for (const Rows& rows : answers) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      found[rows.number(row, 0)] = {static_cast<std::size_t>(rows.number(row, 1)),
                                    std::string(rows.bytes(row, 2))};
    }
  }
  return found;
}

Result<ContentReader::Stored> ContentReader::read_one(const std::string& column, std::int64_t number) const {
  AKIN_TRY(auto found, read(column, {number}));
  if (found.empty()) return has_no_content(number);
  return std::move(found.begin()->second);
}

Result<std::string> ContentReader::text(std::int64_t number) const {
  AKIN_TRY(Stored stored, read_one("body", number));
  return std::move(stored.bytes);
}

Result<ContentReader::Slice> ContentReader::read_slice(const Column& column, std::uint64_t begin,
                                                       std::uint64_t bytes) const {
  const auto statement = [&](const std::string& part) {
    return of_store("SELECT " + part + ", coalesce(octet_length(" + column.name + "), 0)::bigint, substr(" +
                        column.name +
                        ", $2::bigint::int, $3::bigint::int) FROM akin.contents_@ WHERE doc = $1",
                    store_);
  };
  Params params;
  params.number(column.number)
      .number(static_cast<std::int64_t>(begin + 1))
      .number(static_cast<std::int64_t>(bytes));
  AKIN_TRY(std::vector<Rows> answers,
           ask_servers<std::vector<Rows>>(connection_, parts_, column.part, [&](ContentServers& servers) {
             return servers.ask(statement, params, "0::bigint");
           }));
  const auto own = std::ranges::find_if(answers, [](const Rows& rows) { return rows.size() > 0; });
  if (own == answers.end()) return has_no_content(column.number);
  const std::string_view there = own->bytes(0, 2);
  return Slice{static_cast<std::size_t>(own->number(0, 0)), static_cast<std::uint64_t>(own->number(0, 1)),
               std::move(*own), there};
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
  Column body{"body", number};
  AKIN_TRY(const Slice first, read_slice(body, 0, kHeadBytes));
  body.part = first.part;
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

Result<std::string> ContentReader::words(std::int64_t number) const {
  Column column{"words", number};
  AKIN_TRY(const Slice first, read_slice(column, 0, kSliceBytes));
  column.part = first.part;
  std::string words;
  words.reserve(first.of);
  words = first.bytes;
  AKIN_CHECK(add_slices(column, first.bytes.size(), first.of, words));
  return words;
}

Result<std::uint64_t> ContentReader::count_shared(std::int64_t number,
                                                  const std::vector<FeatureCount>& features) const {
  std::map<std::int64_t, std::uint32_t> wanted;
  std::vector<std::int64_t> keys;
  for (const FeatureCount& one : features) {
    wanted.emplace(key_of(one.feature), one.count);
    keys.push_back(key_of(one.feature));
  }
  std::ranges::sort(keys);
  AKIN_TRY(const KeyPostings postings, postings_.read(keys));
  std::uint64_t x = 0;
  const auto add = [&](std::int64_t key, std::uint32_t count) { x += std::min(wanted.at(key), count); };
  for (const StoredPosting& one : postings.rare) {
    if (one.document == number) add(one.key, one.count);
  }
  for (const FrequentList& list : postings.frequent) {
    for (const auto& block : list.blocks) {
      if (number < block->first || block->last < number) continue;
      AKIN_CHECK(for_each_posting(*block, list.key, [&](std::int64_t document, std::uint32_t count) {
        if (document == number) add(list.key, count);
      }));
    }
  }
  return x;
}

Result<std::string> ContentReader::file(std::int64_t number) const {
  AKIN_TRY(Stored stored, read_one("file", number));
  return std::move(stored.bytes);
}

Result<void> ContentReader::prefetch_sequences(const std::vector<std::int64_t>& numbers) const {
  if (numbers.empty() || sequences_.contains(numbers.front())) return {};
  AKIN_TRY(sequences_, read("sequence", numbers));
  return {};
}

Result<ContentReader::Stored> ContentReader::take_sequence(std::int64_t number) const {
  if (auto here = sequences_.extract(number)) return std::move(here.mapped());
  return read_one("sequence", number);
}

Result<FeatureSequence> ContentReader::sequence(std::int64_t number) const {
  if (auto here = whole_.extract(number)) return std::move(here.mapped());
  AKIN_TRY(Stored content, take_sequence(number));
  const std::size_t part = content.part;
  std::map<std::int64_t, Stored> contents;
  contents.emplace(number, std::move(content));
  AKIN_TRY(auto whole, complete(contents, part));
  return std::move(whole.begin()->second);
}

Result<void> ContentReader::prefetch_whole(const std::vector<std::int64_t>& numbers) const {
  if (numbers.empty() || whole_.contains(numbers.front())) return {};
  // So far look-ups were as expensive as a pass: more of them would be more expensive.
  if (looked_up_ > all_postings_ / kReadInLookUp && !window_.contains(numbers.front())) {
    Result<FeatureWindow> window =
        FeatureWindow::read(connection_, parts_, store_, numbers.front(), kPostingsOfWindow);
    if (!window.has_error()) {
      window_ = *std::move(window);
    } else if (window.error().code != Errc::unavailable) {
      return window.error();  // otherwise a shard's connection may have broken, which look-ups replace
    }
  }
  AKIN_TRY(const auto contents, read("sequence", numbers));
  AKIN_TRY(whole_, complete(contents, {}));
  return {};
}

Result<std::map<std::int64_t, FeatureSequence>> ContentReader::complete(
    const std::map<std::int64_t, Stored>& contents, std::optional<std::size_t> only) const {
  std::map<std::int64_t, StoredSequence> stored;
  FeaturesOfDocuments features;
  std::vector<KeyRange> ranges;
  for (const auto& [number, content] : contents) {
    AKIN_TRY(StoredSequence sequence, sequence_of(content.bytes, number));
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
    AKIN_TRY(const KeyPostings postings, postings_.read_ranges(ranges, only));
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

Result<FeatureSequence> ContentReader::sequence_beside(std::int64_t number, std::span<const Feature> query,
                                                       std::optional<std::uint64_t> x) const {
  AKIN_TRY(const Stored content, take_sequence(number));
  AKIN_TRY(StoredSequence stored, sequence_of(content.bytes, number));
  SequenceBeside beside(std::move(stored), query);
  if (x) {
    if (std::optional<FeatureSequence> known = beside.sharing(*x)) return *std::move(known);
  }
  std::vector<KeyRange> keys;
  for (const Feature feature : beside.possible()) keys.push_back({key_of(feature), key_of(feature)});
  FeaturesOfDocuments features{{number, {}}};
  if (!keys.empty()) {
    AKIN_TRY(const KeyPostings postings, postings_.read_ranges(keys, content.part));
    AKIN_CHECK(take_features(postings, features));
  }
  put_in_order(features);
  const std::vector<Feature>& own = features.at(number);
  return std::move(beside).complete([&](Feature one) { return std::ranges::binary_search(own, one); });
}

}  // namespace akin::pg
