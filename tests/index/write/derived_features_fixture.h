// A store that derives features from texts: one for each word.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "index/codec/encoding.h"
#include "tests/support/store_fixture.h"

namespace akin::test {

/// A feature for each word, with the word's range; ASCII.
inline Result<FeatureSequence> words_of(std::string_view text) {
  FeatureSequence sequence;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    sequence.hashes.push_back(Feature{mix64(checksum(text.substr(begin, end - begin)) + 1ULL)});
    sequence.ranges.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    begin = end + 1;
  }
  sequence.sentences = 1;
  sequence.words = sequence.hashes.size();
  sequence.code_points = text.size();
  return sequence;
}

inline std::string worded(const std::string& name, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) text += (i == 0 ? "" : " ") + name + std::to_string(i);
  return text;
}

class DerivedFeatures : public StoreTest {
 protected:
  DerivedFeatures() { derive_by(words_of); }

  void derive_by(const DeriveFeatures& derive) { store_->derive_by({.features = derive}); }
  void reopen_deriving_by(const DeriveFeatures& derive) {
    open();
    derive_by(derive);
  }
  void put_text(const std::string& id, const std::string& text) {
    const FeatureSequence features = must(words_of(text));
    NewDocument document;
    document.record.id = id;
    document.record.text_bytes = document.record.code_points = text.size();
    document.record.sentences = 1;
    document.record.features = features.hashes.size();
    document.text = text;
    document.features = &features;
    must(store_->put(document));
  }
  Result<FeatureSequence> features(const std::string& id) { return must(store_->snapshot())->features(id); }
  Result<SearchResult> search_for(const std::string& text) {
    const FeatureSequence query = must(words_of(text));
    SearchRequest request;
    request.query = &query;
    request.evidence = true;
    return must(store_->snapshot())->search(request);
  }
};

}  // namespace akin::test
