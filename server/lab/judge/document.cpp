#include "server/lab/judge/document.h"

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "server/lab/judge/text_facts.h"

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

std::vector<Weighted> weigh_words(std::vector<std::uint64_t>& words, const TermStatistics& statistics) {
  const auto length = static_cast<double>(words.size());
  std::sort(words.begin(), words.end());
  std::vector<Weighted> weighted;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = at;
    while (end < words.size() && words[end] == words[at]) ++end;
    const double weight = statistics.weight(statistics.idf(words[at]), static_cast<double>(end - at), length);
    weighted.push_back({words[at], static_cast<float>(weight)});
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

  Result<void> gather(std::string_view text) { return gather_facts(text, dictionary, reader, facts); }

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

Preparer::Preparer(const Dictionary& dictionary, const NumberWords& numbers,
                   const CollectionStatistics& statistics)
    : parts_(new Parts{dictionary, statistics, NumberReader(numbers), {}, {}}) {}

Preparer::~Preparer() = default;

Result<JudgedDocument> Preparer::prepare(const Document& document) {
  JudgedDocument out;
  Parts& parts = *parts_;
  AKIN_CHECK(parts.gather(document.title));
  out.title = weigh_words(parts.facts.words, parts.statistics.titles);
  out.title_square = dot(out.title, out.title);
  AKIN_CHECK(parts.gather(document.text));
  parts.add_sentences(out);
  parts.add_pairs(out);
  parts.add_names(out);
  const NumberFacts& numbers = parts.facts.numbers;
  out.numbers = set_of(numbers.sequence);
  out.dates = set_of(numbers.dates);
  out.quantities = set_of(numbers.quantities);
  out.numbers_in_order = numbers.sequence;
  if (out.numbers_in_order.size() > kMaxNumberOrder) out.numbers_in_order.resize(kMaxNumberOrder);
  parts.words = parts.facts.words;
  out.words = weigh_words(parts.words, parts.statistics.texts);
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
  return {};
}

}  // namespace akin::judge
