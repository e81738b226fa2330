#include "server/check/kept_bytes.h"

#include <charconv>
#include <optional>
#include <utility>

#include "base/sha256.h"
#include "base/text_codec.h"

namespace akin::check {

namespace {

using state::Table;

struct Size {
  std::uint64_t bytes = 0, stored = 0;
};

std::string encode_size(const KeptBytes& kept) {
  return std::to_string(kept.bytes) + " " + std::to_string(kept.packed.size());
}

std::optional<Size> decode_size(std::string_view text) {
  Size size;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, size.bytes);
  if (failure != std::errc{} || stop == end) return std::nullopt;
  const auto [stop2, failure2] = std::from_chars(stop + 1, end, size.stored);
  return failure2 == std::errc{} && stop2 == end ? std::optional(size) : std::nullopt;
}

Error corrupt_bytes(std::string_view digest) {
  return Error{Errc::corrupt, "kept bytes " + std::string(digest), "they cannot be decompressed",
               "restore the folder state from a backup"};
}

}  // namespace

Result<KeptBytes> pack_to_keep(std::string_view bytes) {
  KeptBytes kept{sha256_hex(bytes), {}, bytes.size()};
  AKIN_TRY(kept.packed, compress_bytes(bytes));
  return kept;
}

Result<void> keep(state::Writer& writer, const KeptBytes& bytes, std::string_view check) {
  AKIN_TRY(const auto known, writer.get(Table::kept_sizes, bytes.digest));
  if (!known) {
    AKIN_CHECK(writer.put(Table::kept_bytes, bytes.digest, bytes.packed));
    AKIN_CHECK(writer.put(Table::kept_sizes, bytes.digest, encode_size(bytes)));
  }
  return writer.put(Table::kept_uses, state::pair_key(bytes.digest, check), "");
}

Result<void> release(state::Writer& writer, std::string_view digest, std::string_view check) {
  if (digest.empty()) return {};
  AKIN_CHECK(writer.erase(Table::kept_uses, state::pair_key(digest, check)));
  AKIN_TRY(const bool is_used, writer.has_any(Table::kept_uses, state::pair_key(digest, "")));
  if (is_used) return {};
  AKIN_CHECK(writer.erase(Table::kept_sizes, digest));
  AKIN_CHECK(writer.erase(Table::kept_bytes, digest));
  return {};
}

Result<std::string> read_kept(const state::State& state, std::string_view digest) {
  AKIN_TRY(const auto size, state.get(Table::kept_sizes, digest));
  AKIN_TRY(const auto packed, state.get(Table::kept_bytes, digest));
  if (!size || !packed) {
    return Error{Errc::not_found, "kept bytes " + std::string(digest), "there are none",
                 "they are deleted with the check that keeps them"};
  }
  const auto sizes = decode_size(*size);
  if (!sizes) return corrupt_bytes(digest);
  auto bytes = decompress_bytes(*packed, sizes->bytes);
  if (!bytes) return corrupt_bytes(digest);
  return *std::move(bytes);
}

Result<KeptSpace> kept_space(const state::State& state) {
  constexpr std::size_t kPage = 1000;
  KeptSpace space;
  for (std::string after;;) {
    AKIN_TRY(const auto page, state.list(Table::kept_sizes, "", after, kPage));
    for (const state::Entry& entry : page) {
      const auto size = decode_size(entry.value);
      if (!size) return corrupt_bytes(entry.key);
      ++space.pieces;
      space.bytes += size->bytes;
      space.stored_bytes += size->stored;
    }
    if (page.size() < kPage) return space;
    after = page.back().key;
  }
}

}  // namespace akin::check
