#include "ffi/akin_features.h"

#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/error.h"
#include "dict/dictionary.h"
#include "index/codec/feature_counts.h"
#include "morph/align/align.h"
#include "morph/schemes/scheme.h"

struct akin_analyser {
  std::shared_ptr<const akin::Dictionary> dictionary;
  std::shared_ptr<const akin::Scheme> scheme;
};

namespace {

using akin::Error;
using akin::Result;

/// What akin_features points into.
struct OwnedFeatures : akin_features {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> numbers;
};

/// What akin_alignment points into.
struct OwnedAlignment : akin_alignment {
  std::vector<akin_passage> list;
};

std::vector<std::string> languages_of(std::string_view list) {
  std::vector<std::string> languages;
  for (const std::string_view language : akin::split(list, ','))
    if (!language.empty()) languages.emplace_back(language);
  return languages;
}

Result<std::unique_ptr<akin_analyser>> opened(const char* languages, const char* scheme) {
  auto analyser = std::make_unique<akin_analyser>();
  akin::DictionaryConfig config;
  config.languages = languages_of(languages == nullptr ? "ru,en" : languages);
  AKIN_TRY(analyser->dictionary, akin::Dictionary::open(config));
  AKIN_TRY(analyser->scheme,
           akin::make_scheme(scheme == nullptr ? akin::kComparisonScheme : std::string_view(scheme)));
  AKIN_CHECK(akin::features_fingerprint(*analyser->scheme, *analyser->dictionary));
  return analyser;
}

Result<std::unique_ptr<OwnedFeatures>> analysed(const akin_analyser& analyser, std::string_view text) {
  AKIN_TRY(const akin::FeatureSequence sequence,
           akin::extract_features(text, *analyser.dictionary, *analyser.scheme));
  auto found = std::make_unique<OwnedFeatures>();
  for (const auto& [feature, count] : akin::count_features(sequence.hashes)) {
    found->hashes.push_back(static_cast<std::uint64_t>(feature));
    found->numbers.push_back(count);
  }
  found->words = sequence.words;
  found->count = found->hashes.size();
  found->features = found->hashes.data();
  found->counts = found->numbers.data();
  return found;
}

Result<std::unique_ptr<OwnedAlignment>> aligned(const akin_analyser& analyser, std::string_view a,
                                                std::string_view b) {
  AKIN_TRY(const akin::WordSequence a_words, akin::read_words(a, *analyser.dictionary));
  AKIN_TRY(const akin::WordSequence b_words, akin::read_words(b, *analyser.dictionary));
  const akin::Aligner aligner(a_words, {}, akin::WordWeights(a, a_words));
  const akin::Alignment found = aligner.align(b_words);
  auto result = std::make_unique<OwnedAlignment>();
  for (const akin::AlignedPassage& one : found.passages)
    result->list.push_back({one.a.begin, one.a.end, one.b.begin, one.b.end, one.a_matched});
  result->a_words = a_words.classes.size();
  result->b_words = b_words.classes.size();
  result->a_matched = found.a_matched;
  result->b_matched = found.b_matched;
  result->count = result->list.size();
  result->passages = result->list.data();
  return result;
}

void set_error(char** error, const std::string& message) {
  if (error == nullptr) return;
  *error = new (std::nothrow) char[message.size() + 1];
  if (*error != nullptr) std::memcpy(*error, message.c_str(), message.size() + 1);
}

/// What `make` returns; null after an error or an exception, which must not reach a caller in C.
template <class Make>
auto* given(const Make& make, char** error) noexcept {
  using Object = typename decltype(make())::value_type::element_type;
  try {
    auto made = make();
    if (!made.has_error()) return (*made).release();
    set_error(error, made.error().message());
  } catch (const std::exception& exception) {
    set_error(error, exception.what());
  }
  return static_cast<Object*>(nullptr);
}

}  // namespace

akin_analyser* akin_open(const char* languages, const char* scheme, char** error) {
  return given([&] { return opened(languages, scheme); }, error);
}

void akin_close(akin_analyser* analyser) { delete analyser; }

akin_features* akin_features_of(const akin_analyser* analyser, const char* text, size_t bytes, char** error) {
  return given([&] { return analysed(*analyser, std::string_view(text, bytes)); }, error);
}

void akin_free_features(akin_features* features) { delete static_cast<OwnedFeatures*>(features); }

akin_alignment* akin_align(const akin_analyser* analyser, const char* a, size_t a_bytes, const char* b,
                           size_t b_bytes, char** error) {
  return given([&] { return aligned(*analyser, std::string_view(a, a_bytes), std::string_view(b, b_bytes)); },
               error);
}

void akin_free_alignment(akin_alignment* alignment) { delete static_cast<OwnedAlignment*>(alignment); }

void akin_free_error(char* error) { delete[] error; }
