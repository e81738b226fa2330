// Bytes that checks keep: files, texts, passages of sources. Equal bytes are stored once, compressed, for as
// long as a check uses them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/state/state.h"

namespace akin::check {

/// Bytes as they are stored.
struct KeptBytes {
  std::string digest;  ///< SHA-256 of the bytes, in hex
  std::string packed;
  std::uint64_t bytes = 0;
};

/// Packs bytes: call it before a write begins.
[[nodiscard]] Result<KeptBytes> pack_to_keep(std::string_view bytes);

/// Keeps the bytes for this check, which releases them once, however often it kept them. An empty digest
/// names nothing.
[[nodiscard]] Result<void> keep(state::Writer& writer, const KeptBytes& bytes, std::string_view check);
/// Ends the use by this check, and removes the bytes if it was the last one. An empty digest names nothing.
[[nodiscard]] Result<void> release(state::Writer& writer, std::string_view digest, std::string_view check);

/// The bytes with this digest. Errors: not_found, corrupt.
[[nodiscard]] Result<std::string> read_kept(const state::State& state, std::string_view digest);

/// What all checks keep together, each piece counted once.
struct KeptSpace {
  std::uint64_t pieces = 0, bytes = 0;
  std::uint64_t stored_bytes = 0;  ///< compressed
};
/// A total that every change of the pieces updates. The first call after an update of akin, or after checks
/// were copied here, reads the size of each piece.
[[nodiscard]] Result<KeptSpace> kept_space(state::State& state);

}  // namespace akin::check
