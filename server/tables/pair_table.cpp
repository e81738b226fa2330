#include "server/tables/pair_table.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "index/search/text_aligner.h"
#include "server/json/json.h"

namespace akin::tables {

namespace {

double measure(RankBy by, const RankedPair& pair) {
  const Overlap& overlap = pair.overlap;
  const MatchedWords words = pair.words.value_or(MatchedWords());
  switch (by) {
    case RankBy::resemblance:
      return std::max(overlap.resemblance(), words.resemblance());
    case RankBy::containment:
      return std::max({overlap.containment(), overlap.contained(), words.larger_share()});
    case RankBy::x:
      return static_cast<double>(overlap.x);
  }
  return 0.0;
}

/// Puts every document into the table once, and caches what it read of the last one: the best pairs of a
/// document are often adjacent.
class Filler {
 public:
  Filler(PairTable& table, const TableSource& source) : table_(table), source_(source) {}

  Result<TablePair> filled(const RankedPair& pair) {
    TablePair row{.overlap = pair.overlap, .words = pair.words};
    AKIN_TRY(row.a, place(pair.a));
    AKIN_TRY(row.b, place(pair.b));
    if (source_.aligns_with) {
      AKIN_TRY(row.passages, aligned(pair));
    } else {
      AKIN_TRY(row.passages, shared(pair));
    }
    last_ = pair.a;
    return row;
  }

 private:
  PairTable& table_;
  const TableSource& source_;
  std::unordered_map<std::string, std::size_t> places_;
  std::string last_;
  FeatureSequence features_;
  std::shared_ptr<const TextAligner> aligner_;

  Result<std::vector<Passage>> shared(const RankedPair& pair) {
    if (pair.a != last_) {
      AKIN_TRY(features_, source_.snapshot.features_in(pair.a, table_.tier));
    }
    AKIN_TRY(const FeatureSequence other, source_.snapshot.features_in(pair.b, table_.tier));
    return shared_passages(features_, other);
  }

  Result<std::vector<Passage>> aligned(const RankedPair& pair) {
    if (pair.a != last_) {
      AKIN_TRY(const std::string text, source_.snapshot.text(pair.a));
      AKIN_TRY(WordSequence words, read_words(text, *source_.aligns_with));
      AKIN_TRY(aligner_, TextAligner::of(text, std::move(words), source_.aligns_with));
    }
    AKIN_TRY(const std::string other, source_.snapshot.text(pair.b));
    AKIN_TRY(AlignedText found, aligner_->align(other));
    return std::move(found.passages);
  }

  Result<std::size_t> place(const std::string& id) {
    const auto [found, missing] = places_.try_emplace(id, table_.documents.size());
    if (!missing) return found->second;
    AKIN_TRY(auto record, source_.snapshot.find(id));
    if (!record) {
      return Error{Errc::corrupt, "document '" + id + "'", "occurs in a pair, but has no record",
                   "run akin verify for details"};
    }
    table_.documents.push_back(std::move(*record));
    return found->second;
  }
};

}  // namespace

std::string address_of(const DocumentRecord& document) {
  const json::Json metadata = json::Json::parse(document.metadata, nullptr, false);
  if (!metadata.is_object()) return {};
  const auto url = metadata.find("url");
  if (url == metadata.end() || !url->is_string()) return {};
  std::string address = url->get<std::string>();
  return address.starts_with("https://") || address.starts_with("http://") ? address : std::string();
}

std::string_view rank_name(RankBy by) noexcept {
  switch (by) {
    case RankBy::resemblance:
      return "resemblance";
    case RankBy::containment:
      return "containment";
    case RankBy::x:
      return "x";
  }
  return "";
}

bool BestPairs::better(const RankedPair& one, const RankedPair& other) const {
  const double of_one = measure(by_, one);
  const double of_other = measure(by_, other);
  if (of_one != of_other) return of_one > of_other;
  if (one.overlap.x != other.overlap.x) return one.overlap.x > other.overlap.x;
  return std::tie(one.a, one.b) < std::tie(other.a, other.b);
}

void BestPairs::add(const DocumentPair& pair) {
  const auto order = [this](const RankedPair& one, const RankedPair& other) { return better(one, other); };
  ++total_;
  RankedPair ranked{std::string(pair.a), std::string(pair.b), pair.overlap, pair.words};
  if (limit_ != 0 && heap_.size() == limit_) {
    if (!better(ranked, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), order);
    heap_.back() = std::move(ranked);
  } else {
    heap_.push_back(std::move(ranked));
  }
  std::push_heap(heap_.begin(), heap_.end(), order);
}

std::vector<RankedPair> BestPairs::take() {
  std::sort(heap_.begin(), heap_.end(),
            [this](const RankedPair& one, const RankedPair& other) { return better(one, other); });
  return std::exchange(heap_, {});
}

Result<void> fill_table(PairTable& table, const std::vector<RankedPair>& pairs, const Labels& labels,
                        const TableSource& source) {
  Filler filler(table, source);
  table.pairs.reserve(pairs.size());
  for (const RankedPair& pair : pairs) {
    AKIN_TRY(TablePair row, filler.filled(pair));
    const auto label = labels.find({pair.a, pair.b});
    if (label != labels.end()) row.label = label->second;
    table.pairs.push_back(std::move(row));
  }
  return {};
}

}  // namespace akin::tables
