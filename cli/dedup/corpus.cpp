#include "cli/dedup/corpus.h"

#include <algorithm>
#include <cstring>

#include "base/sha256.h"

namespace akin::dedup {

bool Corpus::add(const CorpusDocument& document) {
  const auto number = static_cast<std::uint32_t>(size());
  ids_ += document.id;
  id_begins_.push_back(ids_.size());
  words_.push_back(static_cast<std::uint32_t>(count_words(document.text)));
  preference_.push_back(document.preference.value_or(-std::numeric_limits<double>::infinity()));
  without_preference_ += document.preference ? 0 : 1;
  const Sha256 whole = sha256(document.text);
  Digest digest;
  std::memcpy(digest.data(), whole.data(), sizeof digest);
  const auto [text, is_new] = by_digest_.emplace(digest, texts());
  text_of_.push_back(text->second);
  if (is_new) {
    best_of_.push_back(number);
  } else if (document_prefers(number, best_of_[text->second])) {
    best_of_[text->second] = number;
  }
  return is_new;
}

void Corpus::seal() {
  by_digest_ = decltype(by_digest_)();  // an assigned {} would keep the buckets
  ids_.shrink_to_fit();
  id_begins_.shrink_to_fit();
  text_of_.shrink_to_fit();
  words_.shrink_to_fit();
  preference_.shrink_to_fit();
  best_of_.shrink_to_fit();
}

bool Corpus::document_prefers(std::uint32_t one, std::uint32_t other) const {
  const bool is_known = one < known_;
  if (is_known != (other < known_)) return is_known;
  if (preference_[one] != preference_[other]) return preference_[one] > preference_[other];
  return one < other;
}

}  // namespace akin::dedup
