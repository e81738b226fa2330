#include "index/collection/new_collection.h"

#include <string>
#include <utility>

#include "index/collection/collection_name.h"
#include "morph/schemes/scheme.h"

namespace akin {

Result<NewBuild> plan_collection(const WantedCollection& wanted, Dictionaries& dictionaries) {
  AKIN_CHECK(check_collection_name(wanted.name));
  AKIN_TRY(const std::shared_ptr<const Scheme> scheme,
           make_scheme(wanted.scheme.empty() ? kDefaultScheme : wanted.scheme));
  std::string languages(wanted.languages.empty() ? dictionaries.languages() : wanted.languages);
  AKIN_TRY(std::shared_ptr<const Dictionary> dictionary, dictionaries.of(languages));
  AKIN_TRY(std::string fingerprint, features_fingerprint(*scheme, *dictionary));
  return NewBuild{
      {scheme->name(), std::move(fingerprint), std::move(languages), wanted.store_text, wanted.store_file},
      std::move(dictionary)};
}

}  // namespace akin
