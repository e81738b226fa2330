#include "tests/support/earlier_collection.h"

#include <string>

#include "base/hash.h"
#include "dict/compile/packed_sources.h"
#include "index/collection/collection.h"
#include "index/write/derived_features.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {

void make_with_earlier_rules(Catalog& catalog, std::string_view name,
                             const std::shared_ptr<const Dictionary>& dictionary, std::string_view text,
                             bool store_text) {
  const auto scheme = must(make_scheme(kDefaultScheme));
  const DictionaryContent content = must(unpack_sources(dictionary->packed()));
  const TableFingerprint earlier = fingerprint_of(content.input, {.text_rules = kHashVersion - 1});
  const std::string packed = must(pack_sources(content, to_hex(earlier.all)));
  const auto making = must(
      catalog.begin_copy(name, {scheme->name(), to_hex(earlier.words), "none", store_text, false}, packed));
  let_derive(making->store(), scheme, dictionary);
  const FeatureSequence features = must(extract_features(text, *dictionary, *scheme));
  must(making->store().put(new_document({.id = "a", .text = text}, features)));
  must(making->finish(std::nullopt));
}

}  // namespace akin::test
