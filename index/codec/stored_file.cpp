#include "index/codec/stored_file.h"

#include <optional>
#include <utility>

#include "base/text_codec.h"
#include "index/codec/encoding.h"
#include "index/codec/posting.h"

namespace akin {

namespace {

constexpr std::uint8_t kAsItIs = 0, kFrame = 1;

Error refused_file(const FileView& file, std::string reason, std::string remedy) {
  return {Errc::too_large, "file '" + std::string(file.name.substr(0, kMaxFileNameBytes)) + "'",
          std::move(reason), std::move(remedy)};
}

}  // namespace

Result<std::string> encode_file(const FileView& file) {
  if (file.bytes.size() > kMaxFileBytes) {
    return refused_file(file,
                        "it has " + std::to_string(file.bytes.size()) +
                            " bytes, and a collection keeps files of up to " + std::to_string(kMaxFileBytes),
                        "split it, or put it into a collection without store_file");
  }
  if (file.name.size() > kMaxFileNameBytes || file.media_type.size() > kMaxFileNameBytes) {
    return refused_file(
        file, "its name or media type is longer than " + std::to_string(kMaxFileNameBytes) + " bytes",
        "shorten it");
  }
  AKIN_TRY(const std::string frame, compress_bytes(file.bytes));
  const bool helps = frame.size() < file.bytes.size();
  const std::string_view content = helps ? std::string_view(frame) : file.bytes;
  std::string stored;
  stored.reserve(content.size() + file.name.size() + file.media_type.size() + 8);
  append_counted(stored, file.name);
  append_counted(stored, file.media_type);
  stored.push_back(static_cast<char>(helps ? kFrame : kAsItIs));
  stored.append(content);
  return stored;
}

Result<StoredFile> decode_file(std::string_view stored, std::uint64_t file_bytes, const Sha256& sha256,
                               const std::string& where) {
  ByteReader reader(stored);
  StoredFile file;
  file.name = reader.counted();
  file.media_type = reader.counted();
  const std::uint8_t form = reader.u8();
  if (!reader.ok() || form > kFrame) return corrupt(where, "its file cannot be decoded");
  std::optional<std::string> bytes = form == kFrame ? decompress_bytes(reader.rest(), file_bytes)
                                                    : std::optional(std::string(reader.rest()));
  if (!bytes || bytes->size() != file_bytes)
    return corrupt(where, "its file does not have the length that its record gives");
  if (akin::sha256(*bytes) != sha256)
    return corrupt(where, "its file does not have the SHA-256 that its record gives");
  file.bytes = *std::move(bytes);
  return file;
}

}  // namespace akin
