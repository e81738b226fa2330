// A body that arrives a few bytes at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "server/api/stream.h"

/// Gives at most `piece` bytes at once. The bytes must outlive it.
class BodyInPieces final : public akin::api::BodySource {
 public:
  BodyInPieces(std::string_view bytes, std::size_t piece) : bytes_(bytes), piece_(piece) {}
  akin::Result<std::size_t> read(std::span<char> into) override {
    const std::size_t taken = std::min({bytes_.size(), piece_, into.size()});
    std::copy_n(bytes_.begin(), taken, into.begin());
    bytes_.remove_prefix(taken);
    return taken;
  }

 private:
  std::string_view bytes_;
  const std::size_t piece_;
};
