#include "server/check/kept_bytes.h"

#include <charconv>
#include <optional>
#include <sstream>
#include <utility>

#include "base/files.h"
#include "base/sha256.h"
#include "base/text_codec.h"
#include "server/state/clock_keys.h"

namespace akin::check {

namespace {

using state::Table;

struct Size {
  std::uint64_t bytes = 0, stored = 0;
};

// The total in Table::clock is "PIECES BYTES STORED". While there is none, each change of the pieces writes
// "? " and a random token, by which a summation notices that it was overtaken.
constexpr std::string_view kUnknown = "? ";

std::string encode_total(const KeptSpace& total) {
  return std::to_string(total.pieces) + ' ' + std::to_string(total.bytes) + ' ' +
         std::to_string(total.stored_bytes);
}

std::optional<KeptSpace> decode_total(const std::optional<std::string>& stored) {
  if (!stored || stored->starts_with(kUnknown)) return std::nullopt;
  KeptSpace total;
  std::istringstream text(*stored);
  text >> total.pieces >> total.bytes >> total.stored_bytes;
  return text.fail() ? std::nullopt : std::optional(total);
}

/// Adds a piece to the total, or takes one out.
Result<void> count_piece(state::Writer& writer, const Size& size, bool added) {
  AKIN_TRY(const auto stored, writer.get(Table::clock, state::kKeptSpace));
  auto total = decode_total(stored);
  if (!total) return writer.put(Table::clock, state::kKeptSpace, std::string(kUnknown) + random_token());
  total->pieces += added ? 1 : std::uint64_t(-1);
  total->bytes += added ? size.bytes : 0 - size.bytes;
  total->stored_bytes += added ? size.stored : 0 - size.stored;
  return writer.put(Table::clock, state::kKeptSpace, encode_total(*total));
}

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

Result<KeptSpace> sum_of_pieces(const state::State& state) {
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

}  // namespace

Result<KeptBytes> pack_to_keep(std::string_view bytes) {
  KeptBytes kept{sha256_hex(bytes), {}, bytes.size()};
  AKIN_TRY(kept.packed, compress_bytes(bytes));
  return kept;
}

Result<void> keep(state::Writer& writer, const KeptBytes& bytes, std::string_view check) {
  if (bytes.digest.empty()) return {};
  AKIN_TRY(const auto known, writer.get(Table::kept_sizes, bytes.digest));
  if (!known) {
    AKIN_CHECK(writer.put(Table::kept_bytes, bytes.digest, bytes.packed));
    AKIN_CHECK(writer.put(Table::kept_sizes, bytes.digest, encode_size(bytes)));
    AKIN_CHECK(count_piece(writer, {bytes.bytes, bytes.packed.size()}, true));
  }
  return writer.put(Table::kept_uses, state::pair_key(bytes.digest, check), "");
}

Result<void> release(state::Writer& writer, std::string_view digest, std::string_view check) {
  if (digest.empty()) return {};
  AKIN_CHECK(writer.erase(Table::kept_uses, state::pair_key(digest, check)));
  AKIN_TRY(const bool is_used, writer.has_any(Table::kept_uses, state::pair_key(digest, "")));
  if (is_used) return {};
  AKIN_TRY(const auto stored, writer.get(Table::kept_sizes, digest));
  const auto size = stored ? decode_size(*stored) : std::nullopt;
  if (size) AKIN_CHECK(count_piece(writer, *size, false));
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

Result<KeptSpace> kept_space(state::State& state) {
  constexpr int kAttempts = 8;
  for (int attempt = 1;; ++attempt) {
    AKIN_TRY(const auto before, state.get(Table::clock, state::kKeptSpace));
    if (const auto total = decode_total(before)) return *total;
    AKIN_TRY(const KeptSpace summed, sum_of_pieces(state));
    bool is_overtaken = false;
    const auto written = state.write([&](state::Writer& writer) -> Result<void> {
      AKIN_TRY(const auto now, writer.get(Table::clock, state::kKeptSpace));
      is_overtaken = now != before;
      if (is_overtaken) return {};
      return writer.put(Table::clock, state::kKeptSpace, encode_total(summed));
    });
    // A standby takes no writes.
    if (written.has_error() || !is_overtaken || attempt == kAttempts) return summed;
  }
}

}  // namespace akin::check
