#include "server/judge/document.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "base/hash.h"
#include "base/key_set.h"
#include "morph/schemes/stop_words.h"
#include "server/judge/text_facts.h"

namespace akin::judge {

namespace {

std::uint64_t hash_of_bytes(std::string_view bytes) {
  SpellingHash hash;
  for (const char c : bytes) hash.add(static_cast<unsigned char>(c));
  return hash.value();
}

/// The address without its scheme, its fragment and a slash at the end.
std::string_view bare_address(std::string_view link) {
  if (const auto scheme = link.find("://"); scheme != link.npos) link.remove_prefix(scheme + 3);
  link = link.substr(0, link.find('#'));
  while (link.ends_with('/')) link.remove_suffix(1);
  return link;
}

/// `ignored`: words to leave out.
std::vector<Weighted> weigh_words(std::vector<std::uint64_t>& words, const TermStatistics& statistics,
                                  const KeySet& ignored) {
  const auto length = static_cast<double>(words.size());
  std::sort(words.begin(), words.end());
  std::vector<Weighted> weighted;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = at;
    while (end < words.size() && words[end] == words[at]) ++end;
    if (!ignored.has(words[at])) {
      const double weight =
          statistics.weight(statistics.idf(words[at]), static_cast<double>(end - at), length);
      weighted.push_back({words[at], static_cast<float>(weight)});
    }
    at = end;
  }
  return weighted;
}

std::vector<std::uint64_t> heaviest_of(std::span<const Weighted> words) {
  std::vector<Weighted> heaviest(std::min(words.size(), kHeaviestWords));
  // Among equal weights the lower hash, so that the choice depends only on the words.
  std::partial_sort_copy(words.begin(), words.end(), heaviest.begin(), heaviest.end(),
                         [](const Weighted& a, const Weighted& b) {
                           return a.weight != b.weight ? a.weight > b.weight : a.hash < b.hash;
                         });
  std::vector<std::uint64_t> hashes;
  hashes.reserve(heaviest.size());
  for (const Weighted& word : heaviest) hashes.push_back(word.hash);
  return hashes;
}

template <class T>
std::vector<T> set_of(std::vector<T> elements) {
  make_set(elements);
  return elements;
}

}  // namespace

struct Preparer::Parts {
  const Dictionary& dictionary;
  const CollectionStatistics& statistics;
  NumberReader reader;
  TextFacts facts;
  std::vector<std::uint64_t> words;
  TrigramCounter trigrams = {};
  std::vector<std::uint64_t> buckets = {};
  std::vector<std::uint16_t> counts = {};
  std::shared_ptr<const KeySet> stop = stop_classes(dictionary);
  KeySet none = {};

  Result<void> gather(std::string_view text) {
    return gather_facts(text, dictionary, reader, trigrams, facts);
  }
  void take_trigrams() { trigrams.take(buckets, counts); }
  /// Words to leave out: without documents that show which words are frequent, the stop words.
  [[nodiscard]] const KeySet& ignored() const { return statistics.texts.documents() == 0 ? *stop : none; }

  /// Classes and figures of the title; if there is none, those of the text's first sentence.
  void add_headline(std::vector<std::uint64_t> title, std::vector<std::uint64_t> figures,
                    JudgedDocument& out);

  void add_sentences(JudgedDocument& out);
  void add_pairs(JudgedDocument& out) const;
  void add_names(JudgedDocument& out) const;
};

void Preparer::Parts::add_sentences(JudgedDocument& out) {
  std::size_t at = 0;
  Weighted paragraph;
  for (const auto& sentence : facts.sentences) {
    double weight = 0;
    for (; at < sentence.words_end; ++at) weight += statistics.texts.idf(facts.words[at]);
    out.sentences.push_back({sentence.hash, static_cast<float>(weight)});
    paragraph.hash += mix64(sentence.hash);
    paragraph.weight += static_cast<float>(weight);
    if (!sentence.ends_paragraph) continue;
    out.paragraphs.push_back(paragraph);
    paragraph = {};
  }
  make_set(out.sentences);
  make_set(out.paragraphs);
}

void Preparer::Parts::add_pairs(JudgedDocument& out) const {
  for (std::size_t i = 0; i < facts.sentences.size(); ++i) {
    const std::uint64_t next = i + 1 < facts.sentences.size() ? facts.sentences[i + 1].hash : 0;
    out.sentence_pairs.push_back(facts.sentences[i].hash + next);
  }
  make_set(out.sentence_pairs);
}

void Preparer::Parts::add_names(JudgedDocument& out) const {
  for (const std::uint64_t name : set_of(facts.names)) {
    out.names.push_back({name, static_cast<float>(statistics.texts.idf(name))});
  }
}

void Preparer::Parts::add_headline(std::vector<std::uint64_t> title, std::vector<std::uint64_t> figures,
                                   JudgedDocument& out) {
  if (title.empty() && !facts.sentences.empty()) {
    const auto end = static_cast<std::ptrdiff_t>(facts.sentences.front().words_end);
    title.assign(facts.words.begin(), facts.words.begin() + end);
    figures = facts.figures;
  }
  make_set(title);
  make_set(figures);
  for (const std::uint64_t word : title) {
    if (ignored().has(word)) continue;
    const Weighted weighted{word, static_cast<float>(statistics.texts.idf(word))};
    out.headline.push_back(weighted);
    const bool is_name =
        std::binary_search(out.names.begin(), out.names.end(), weighted,
                           [](const Weighted& one, const Weighted& other) { return one.hash < other.hash; });
    if (is_name || std::binary_search(figures.begin(), figures.end(), word)) out.subject.push_back(weighted);
  }
}

Preparer::Preparer(const Dictionary& dictionary, const NumberWords& numbers,
                   const CollectionStatistics& statistics)
    : parts_(new Parts{dictionary, statistics, NumberReader(numbers), {}, {}}) {}

Preparer::~Preparer() = default;

Result<JudgedDocument> Preparer::prepare(const Document& document) {
  JudgedDocument out;
  Parts& parts = *parts_;
  const CollectionStatistics& statistics = parts.statistics;
  parts.take_trigrams();  // those of a text that was invalid
  AKIN_CHECK(parts.gather(document.title));
  std::vector<std::uint64_t> title = parts.facts.words;
  std::vector<std::uint64_t> title_figures = parts.facts.figures;
  out.title = weigh_words(parts.facts.words, statistics.titles, parts.ignored());
  out.title_square = dot(out.title, out.title);
  AKIN_CHECK(parts.gather(document.text));
  parts.add_sentences(out);
  parts.add_pairs(out);
  parts.add_names(out);
  parts.add_headline(std::move(title), std::move(title_figures), out);
  const NumberFacts& numbers = parts.facts.numbers;
  out.numbers = set_of(numbers.sequence);
  out.number_pairs = set_of(parts.facts.number_pairs);
  out.dates = set_of(numbers.dates);
  out.quantities = set_of(numbers.quantities);
  out.numbers_in_order = numbers.sequence;
  if (out.numbers_in_order.size() > kMaxNumberOrder) out.numbers_in_order.resize(kMaxNumberOrder);
  parts.words = parts.facts.words;
  out.words = weigh_words(parts.words, statistics.texts, parts.ignored());
  parts.take_trigrams();
  out.trigrams = weigh_trigrams(parts.buckets, parts.counts, statistics.trigrams);
  out.trigrams_square = trigram_dot(out.trigrams, out.trigrams);
  out.words_square = dot(out.words, out.words);
  out.heaviest = heaviest_of(out.words);
  for (const std::string& link : document.links) out.links.push_back(hash_of_bytes(bare_address(link)));
  make_set(out.links);
  out.has_links = document.has_links;
  out.images = document.images;
  out.time = document.time;
  out.origin = {document.source, document.authority};
  return out;
}

Result<void> Preparer::count(const Document& document, CollectionStatistics& statistics) {
  Parts& parts = *parts_;
  parts.take_trigrams();  // those of a text that was invalid
  const auto add = [&](std::string_view text, TermStatistics& terms) -> Result<void> {
    AKIN_CHECK(parts.gather(text));
    const std::size_t length = parts.facts.words.size();
    parts.words = parts.facts.words;
    make_set(parts.words);
    terms.add(parts.words, length);
    return {};
  };
  AKIN_CHECK(add(document.text, statistics.texts));
  if (!document.title.empty()) AKIN_CHECK(add(document.title, statistics.titles));
  parts.take_trigrams();
  statistics.trigrams.add(parts.buckets,
                          std::accumulate(parts.counts.begin(), parts.counts.end(), std::uint64_t{0}));
  return {};
}

Error of_document(Error error, const Document& document) {
  error.what = "document '" + document.id + "': " + error.what;
  return error;
}

DocumentCounter::DocumentCounter(const Dictionary& dictionary)
    : numbers_(dictionary), preparer_(dictionary, numbers_, statistics_) {}

Result<void> DocumentCounter::add(const Document& document) {
  if (!seen_.insert(content_hash(document.text)).second) return {};
  auto counted = preparer_.count(document, statistics_);
  if (counted.has_error()) return of_document(std::move(counted).error(), document);
  return {};
}

Result<CollectionStatistics> count_collection(std::span<const Document> documents,
                                              const Dictionary& dictionary) {
  DocumentCounter counter(dictionary);
  for (const Document& document : documents) AKIN_CHECK(counter.add(document));
  return counter.take();
}

}  // namespace akin::judge
