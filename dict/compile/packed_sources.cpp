#include "dict/compile/packed_sources.h"

#include <cstdint>
#include <utility>

#include "base/bytes.h"
#include "base/text_codec.h"

namespace akin {
namespace {

constexpr std::string_view kPackMagic = "AKINDICS";
constexpr std::uint32_t kPackVersion = 1;
constexpr std::size_t kFingerprintDigits = 32;
constexpr std::size_t kVersionAt = kPackMagic.size();
constexpr std::size_t kFingerprintAt = kVersionAt + sizeof(std::uint32_t);
constexpr std::size_t kSizeAt = kFingerprintAt + kFingerprintDigits;
constexpr std::size_t kFrameAt = kSizeAt + sizeof(std::uint64_t);
constexpr std::size_t kTrailer = sizeof(std::uint64_t);
/// More is damage: no set of dictionaries is as large.
constexpr std::uint64_t kMostContent = std::uint64_t{2} << 30;
constexpr char kUsesEndings = 1;

void append_string(std::string& out, std::string_view bytes) {
  append_u64(out, bytes.size());
  out.append(bytes);
}

void append_files(std::string& out, const std::vector<SupplementContent>& files) {
  append_u64(out, files.size());
  for (const SupplementContent& file : files) {
    append_string(out, file.name.string());
    append_string(out, file.content);
  }
}

/// Reads from the front of the contents; after the first read beyond them, everything is empty.
class ContentReader {
 public:
  explicit ContentReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    const std::string_view eight = take(sizeof(std::uint64_t));
    return eight.empty() ? 0 : load_u64(eight.data());
  }
  std::string string() { return std::string(take(number())); }
  char flags() {
    const std::string_view one = take(1);
    return one.empty() ? '\0' : one.front();
  }
  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] bool finished() const noexcept { return ok_ && rest_.empty(); }

 private:
  std::string_view take(std::uint64_t count) {
    if (!ok_ || count > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
  bool ok_ = true;
};

std::vector<SupplementContent> read_files(ContentReader& reader) {
  std::vector<SupplementContent> files;
  const std::uint64_t count = reader.number();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    SupplementContent file;
    file.name = reader.string();
    file.content = reader.string();
    file.digest = content_hash(file.content);
    files.push_back(std::move(file));
  }
  return files;
}

Error damaged(std::string reason) { return Error{Errc::corrupt, "packed dictionary", std::move(reason), ""}; }

}  // namespace

Result<std::string> pack_sources(const DictionaryContent& content, std::string_view fingerprint) {
  std::string bytes(1, content.use_endings ? kUsesEndings : '\0');
  append_u64(bytes, content.input.sources.size());
  for (const SourceContent& source : content.input.sources) {
    append_string(bytes, source.code);
    append_string(bytes, source.names.aff.string());
    append_string(bytes, source.aff);
    append_string(bytes, source.names.dic.string());
    append_string(bytes, source.dic);
  }
  append_files(bytes, content.input.supplements);
  append_files(bytes, content.input.synonyms);
  AKIN_TRY(const std::string frame, compress_text(bytes));
  std::string packed(kPackMagic);
  append_u32(packed, kPackVersion);
  packed.append(fingerprint);
  append_u64(packed, bytes.size());
  packed.append(frame);
  append_u64(packed, content_hash(packed).low);
  return packed;
}

std::string_view packed_fingerprint(std::string_view packed) noexcept {
  if (packed.size() < kFrameAt + kTrailer || !packed.starts_with(kPackMagic)) return {};
  const std::string_view body = packed.substr(0, packed.size() - kTrailer);
  if (content_hash(body).low != load_u64(packed.data() + body.size())) return {};
  return packed.substr(kFingerprintAt, kFingerprintDigits);
}

Result<DictionaryContent> unpack_sources(std::string_view packed) {
  if (packed_fingerprint(packed).empty()) return damaged("its bytes are not those that were written");
  if (load_u32(packed.data() + kVersionAt) != kPackVersion) {
    return Error{Errc::mismatch, "packed dictionary", "a later akin made it", "use that one"};
  }
  const std::uint64_t size = load_u64(packed.data() + kSizeAt);
  if (size > kMostContent) return damaged("it states an impossible size");
  const std::string_view frame = packed.substr(kFrameAt, packed.size() - kFrameAt - kTrailer);
  const auto bytes = decompress_text(frame, size);
  if (!bytes) return damaged("its contents cannot be decompressed");
  ContentReader reader(*bytes);
  DictionaryContent content;
  content.use_endings = reader.flags() == kUsesEndings;
  const std::uint64_t count = reader.number();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    SourceContent source;
    source.code = reader.string();
    source.names.aff = reader.string();
    source.aff = reader.string();
    source.names.dic = reader.string();
    source.dic = reader.string();
    source.digest = digest_of(source);
    content.input.by_place.push_back(source.digest);
    content.input.sources.push_back(std::move(source));
  }
  content.input.supplements = read_files(reader);
  content.input.synonyms = read_files(reader);
  if (!reader.finished()) return damaged("its lists do not end where its contents end");
  return content;
}

}  // namespace akin
