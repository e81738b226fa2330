// The tables of one generation, and the representation of features in them.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "index/codec/posting.h"
#include "morph/schemes/scheme.h"

namespace akin::pg {

/// Number of a store in akin.stores.
enum class StoreNumber : std::int64_t {};

/// The statement with every "@" replaced by the store's number, as in the names of its tables.
[[nodiscard]] inline std::string of_store(std::string sql, StoreNumber number) {
  const std::string digits = std::to_string(static_cast<std::int64_t>(number));
  for (std::size_t at = 0; (at = sql.find('@', at)) != std::string::npos; at += digits.size())
    sql.replace(at, 1, digits);
  return sql;
}

/// A feature as bigint, which preserves the order.
[[nodiscard]] constexpr std::int64_t key_of(Feature feature) noexcept {
  return std::bit_cast<std::int64_t>(static_cast<std::uint64_t>(feature) ^ (std::uint64_t{1} << 63U));
}
[[nodiscard]] constexpr Feature feature_of(std::int64_t key) noexcept {
  return Feature{std::bit_cast<std::uint64_t>(key) ^ (std::uint64_t{1} << 63U)};
}

/// A document's number in memory. Requires one that fits 32 bits.
[[nodiscard]] constexpr DocNumber document_of(std::int64_t number) noexcept {
  return DocNumber{static_cast<std::uint32_t>(number)};
}

}  // namespace akin::pg
