#include "server/ingest/input.h"

#include <algorithm>
#include <cstdint>

#include "base/hex.h"
#include "base/utf8.h"
#include "base/visible_text.h"
#include "morph/words/scanner.h"
#include "server/ingest/open_input.h"

namespace akin::ingest {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;

Error too_large(const std::string& name) {
  return {Errc::too_large, name,
          "longer than the limit of " + std::to_string(kMaxTextBytes) + " bytes for one text",
          "split it into several documents"};
}

}  // namespace

Result<std::string> read_bytes(const std::filesystem::path& path) {
  AKIN_TRY(const OpenInput input, OpenInput::open(path));
  std::string text;
  if (input.size()) {
    if (*input.size() > kMaxTextBytes) return too_large(input.name());
    text.reserve(static_cast<std::size_t>(*input.size()) + 1);
  }
  for (;;) {
    const std::size_t old_size = text.size();
    const std::size_t room =
        text.capacity() > old_size ? std::min(text.capacity() - old_size, kChunk) : kChunk;
    text.resize(old_size + room);
    AKIN_TRY(const std::size_t got, input.read(text.data() + old_size, room));
    text.resize(old_size + got);
    if (got == 0) break;
    if (text.size() > kMaxTextBytes) return too_large(input.name());
  }
  return text;
}

Result<std::string> read_text(const std::filesystem::path& path, std::string_view encoding) {
  AKIN_TRY(std::string bytes, read_bytes(path));
  return extract::decode_text(std::move(bytes), encoding, display_name(path));
}

Result<std::string> read_text(ByteSource& source, const std::string& name) {
  std::string bytes;
  for (std::size_t size = 0;;) {
    bytes.resize(size + kChunk);
    AKIN_TRY(const std::size_t got, source.read(bytes.data() + size, kChunk));
    size += got;
    if (size > kMaxTextBytes) return too_large(name);
    bytes.resize(size);
    if (got == 0) break;
  }
  return extract::decode_text(std::move(bytes), extract::kUtf8Name, name);
}

std::string display_name(const std::filesystem::path& path) {
  if (path == "-") return "standard input";
  const std::string& bytes = path.native();
  const bool utf8 = validate_utf8(bytes, "path").has_value();
  std::string name;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if ((utf8 || byte < 0x80) && c != '\t' && c != '\n') {
      name += c;
    } else {
      name += "\\x" + hex_of({&c, 1});
    }
  }
  return visible_text(name);
}

}  // namespace akin::ingest
