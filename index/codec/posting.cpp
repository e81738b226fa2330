#include "index/codec/posting.h"

#include <utility>

#include "base/hex.h"

namespace akin {

std::string name_of(Feature feature) { return "feature " + hex16(static_cast<std::uint64_t>(feature)); }

std::string name_of(DocNumber number) {
  return "document " + std::to_string(static_cast<std::uint32_t>(number));
}

Error corrupt(std::string where, std::string broken) {
  return Error{Errc::corrupt, std::move(where), std::move(broken),
               "run `akin verify`; `akin reindex` rebuilds the collection from its texts"};
}

}  // namespace akin
