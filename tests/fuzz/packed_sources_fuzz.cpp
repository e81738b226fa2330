// Any bytes as packed dictionaries: refused, or read so that packing what was read gives the same lists. The
// input is tried as it is, and as the contents of a pack whose frame and checksums are right.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/text_codec.h"
#include "dict/compile/packed_sources.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void read(const std::string& packed) {
  const auto content = akin::unpack_sources(packed);
  if (content.has_error()) {
    require(!content.error().reason.empty());
    return;
  }
  const std::string fingerprint(32, 'f');
  const auto again = akin::pack_sources(*content, fingerprint);
  require(again.has_value() && akin::packed_fingerprint(*again) == fingerprint);
  const auto same = akin::unpack_sources(*again);
  require(same.has_value() && same->use_endings == content->use_endings &&
          same->input.by_place == content->input.by_place &&
          same->input.supplements.size() == content->input.supplements.size() &&
          same->input.synonyms.size() == content->input.synonyms.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read(std::string(bytes));
  std::string packed = "AKINDICS";
  akin::append_u32(packed, 1);
  packed.append(32, 'f');
  akin::append_u64(packed, bytes.size());
  packed += akin::compress_text(bytes).value();
  akin::append_u64(packed, akin::content_hash(packed).low);
  read(packed);
  return 0;
}
