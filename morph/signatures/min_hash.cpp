#include "morph/signatures/min_hash.h"

#include <algorithm>

#include "base/hash.h"

namespace akin {
namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;  // SplitMix64's

/// Features of some schemes are small numbers; the functions need all bits to be equally random.
std::uint64_t mixed(Feature feature) noexcept {
  return mix64(static_cast<std::uint64_t>(feature) + 0x3c6ef372fe94f82bU);
}

struct Function {
  std::uint64_t shift = 0;
  std::uint64_t factor = 0;
};

std::vector<Function> functions(std::size_t k) {
  std::vector<Function> made(k);
  std::uint64_t state = 0x84;
  for (Function& function : made) {
    function.shift = mix64(state += kStep);
    function.factor = mix64(state += kStep) | 1U;
  }
  return made;
}

std::vector<std::uint64_t> minima_of_functions(std::span<const Feature> features, std::size_t k) {
  const std::vector<Function> all = functions(k);
  std::vector<std::uint64_t> minima(k, kNone);
  for (const Feature feature : features) {
    const std::uint64_t x = mixed(feature);
    for (std::size_t i = 0; i < k; ++i) {
      minima[i] = std::min(minima[i], (x ^ all[i].shift) * all[i].factor);
    }
  }
  return minima;
}

/// The bin of k, uniform in the upper half of the number's bits.
std::size_t bin_of(std::uint64_t number, std::size_t k) noexcept {
  return static_cast<std::size_t>((number >> 32U) * k >> 32U);
}

std::vector<std::uint64_t> minima_of_bins(std::span<const Feature> features, std::size_t k) {
  std::vector<std::uint64_t> found(k, kNone);
  for (const Feature feature : features) {
    const std::uint64_t x = mixed(feature);
    std::uint64_t& least = found[bin_of(x, k)];
    least = std::min(least, x);
  }
  std::vector<std::uint64_t> minima = found;
  for (std::size_t bin = 0; bin < k; ++bin) {
    for (std::uint64_t attempt = 1; minima[bin] == kNone; ++attempt) {
      minima[bin] = found[bin_of(mix64((std::uint64_t{bin} << 32U) + attempt * kStep), k)];
    }
  }
  return minima;
}

}  // namespace

std::vector<std::uint64_t> min_hash(std::span<const Feature> features, std::size_t k, Minima minima) {
  if (features.empty()) return {};
  return minima == Minima::functions ? minima_of_functions(features, k) : minima_of_bins(features, k);
}

}  // namespace akin
