#include "server/judge/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace akin::judge {

namespace {

constexpr double kHalfLife = 24 * 3600.0;  // seconds

std::uint64_t hash_of(const Weighted& element) { return element.hash; }
std::uint64_t hash_of(std::uint64_t hash) { return hash; }

/// Calls take(element of a, element of b) for each common element.
template <class Element, class Take>
void for_shared(std::span<const Element> a, std::span<const Element> b, Take take) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t x = hash_of(a[i]);
    const std::uint64_t y = hash_of(b[j]);
    if (x == y) take(a[i], b[j]);
    // Without branches, which the random order of hashes would mispredict.
    i += x <= y ? 1U : 0U;
    j += y <= x ? 1U : 0U;
  }
}

std::size_t shared(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::size_t count = 0;
  for_shared(a, b, [&](std::uint64_t, std::uint64_t) { ++count; });
  return count;
}

double quotient(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double undefined() noexcept { return std::numeric_limits<double>::quiet_NaN(); }

double dot(std::span<const Weighted> a, std::span<const Weighted> b) noexcept {
  double sum = 0;
  for_shared(a, b, [&](const Weighted& x, const Weighted& y) {
    sum += static_cast<double>(x.weight) * static_cast<double>(y.weight);
  });
  return sum;
}

double cosine(std::span<const Weighted> a, double square_a, std::span<const Weighted> b,
              double square_b) noexcept {
  if (a.empty() || b.empty()) return undefined();
  return std::min(1.0, dot(a, b) / std::sqrt(square_a * square_b));
}

double weighted_containment(std::span<const Weighted> a, std::span<const Weighted> b) noexcept {
  if (a.empty()) return undefined();
  double part = 0;
  double whole = 0;
  for_shared(a, b, [&](const Weighted& x, const Weighted&) { part += static_cast<double>(x.weight); });
  for (const Weighted& element : a) whole += static_cast<double>(element.weight);
  return part / whole;
}

double containment(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
  return a.empty() ? undefined() : quotient(shared(a, b), a.size());
}

double resemblance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) noexcept {
  if (a.empty() && b.empty()) return undefined();
  const std::size_t common = shared(a, b);
  return quotient(common, a.size() + b.size() - common);
}

std::size_t damerau_levenshtein(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) a = a.subspan(1), b = b.subspan(1);
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a = a.first(a.size() - 1);
    b = b.first(b.size() - 1);
  }
  // Rows of the table: for a's elements up to the second last, up to the last, and up to the current one.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

double order_similarity(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  if (a.empty() && b.empty()) return undefined();
  const std::size_t longer = std::max(a.size(), b.size());
  return quotient(longer - damerau_levenshtein(a, b), longer);
}

double count_similarity(std::uint64_t a, std::uint64_t b) noexcept {
  return a == b ? 1.0 : quotient(std::min(a, b), std::max(a, b));
}

double nearness(std::int64_t a, std::int64_t b) noexcept {
  return std::exp2(-std::fabs(static_cast<double>(a) - static_cast<double>(b)) / kHalfLife);
}

void make_set(std::vector<std::uint64_t>& hashes) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

void make_set(std::vector<Weighted>& elements) {
  std::sort(elements.begin(), elements.end(),
            [](const Weighted& a, const Weighted& b) { return a.hash < b.hash; });
  elements.erase(std::unique(elements.begin(), elements.end(),
                             [](const Weighted& a, const Weighted& b) { return a.hash == b.hash; }),
                 elements.end());
}

}  // namespace akin::judge
