#include "index/pg/content_reader.h"

#include <algorithm>
#include <utility>

#include "index/pg/content_servers.h"
#include "index/pg/stored.h"
#include "index/sequence_beside.h"

namespace akin::pg {
namespace {

/// The features of a document among postings, ascending, each once.
Result<std::vector<Feature>> own_features(const KeyPostings& postings, std::int64_t document) {
  std::vector<Feature> own;
  for (const StoredPosting& one : postings.rare) {
    if (one.document == document) own.push_back(feature_of(one.key));
  }
  for (const FrequentList& list : postings.frequent) {
    for (const auto& block : list.blocks) {
      if (document < block->first || document > block->last) continue;
      AKIN_CHECK(for_each_posting(*block, list.key, [&](std::int64_t number, std::uint32_t) {
        if (number == document) own.push_back(feature_of(list.key));
      }));
    }
  }
  std::ranges::sort(own);
  own.erase(std::unique(own.begin(), own.end()), own.end());
  return own;
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
  if (found.empty()) return corrupt(name_of_document(number), "it has neither text nor sequence");
  return std::move(found.begin()->second);
}

Result<std::string> ContentReader::text(std::int64_t number) const {
  AKIN_TRY(Stored stored, read_one("body", number));
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
  AKIN_TRY(const Stored content, take_sequence(number));
  AKIN_TRY(StoredSequence stored, sequence_of(content.bytes, number));
  if (stored.shift == 0) return std::move(stored.sequence);
  const std::vector<std::uint64_t> leading = leading_bits(stored);
  std::vector<KeyRange> ranges;
  ranges.reserve(leading.size());
  for (const std::uint64_t bits : leading) ranges.push_back(with_leading(bits, stored.shift));
  AKIN_TRY(const std::vector<Feature> own, features_of(number, ranges, content.part));
  const auto bits_of = [&](Feature feature) { return static_cast<std::uint64_t>(feature) >> stored.shift; };
  if (!std::ranges::equal(own, leading, {}, bits_of)) {
    return corrupt(name_of_document(number), "a feature of its sequence is in no posting or in several");
  }
  for (Feature& hash : stored.sequence.hashes)
    hash = *std::ranges::lower_bound(own, static_cast<std::uint64_t>(hash), {}, bits_of);
  return std::move(stored.sequence);
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
  AKIN_TRY(const std::vector<Feature> own, features_of(number, keys, content.part));
  return std::move(beside).complete([&](Feature one) { return std::ranges::binary_search(own, one); });
}

Result<std::vector<Feature>> ContentReader::features_of(std::int64_t number,
                                                        std::span<const KeyRange> leading,
                                                        std::size_t part) const {
  if (leading.empty()) return std::vector<Feature>();
  AKIN_TRY(const KeyPostings postings, postings_.read_ranges(leading, part));
  return own_features(postings, number);
}

}  // namespace akin::pg
