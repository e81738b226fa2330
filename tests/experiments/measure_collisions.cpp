// Table 3 of "Method of shingles" (Russian New University) on the corpora at hand: how often different
// shingles have one hash, for several hash functions, beside the number that is expected of uniform ones.
// Usage: measure_collisions [--shingles N] [--words W]
// Shingles are W words in a row, folded, of all works of the corpora. They are distinguished by their words
// themselves (numbered words, sorted, no hash), so that N shingles are N different ones. Hashes are taken of
// the words with blanks between them, in UTF-8; akin's of the words as the scheme shingles(unit=word) sees
// them. Memory: about 60 bytes a shingle. Exit 0, 77 without corpora, 2 with too few shingles in them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "dict/dictionary.h"
#include "morph/schemes/rolling_hash.h"
#include "morph/signatures/signature_math.h"
#include "morph/words/scanner.h"
#include "tests/experiments/corpora.h"
#include "tests/experiments/fingerprints.h"

namespace {

using namespace akin::experiments;

constexpr std::size_t kMostWords = 8;
constexpr std::array<const char*, 3> kFolders = {"ru-novels", "en-novels", "other-lang"};

/// Numbers of the words; those after the last are 0.
using Shingle = std::array<std::uint32_t, kMostWords>;

/// The words of texts, numbered from 1 in the order in which they come.
class Words final : public akin::SentenceSink {
 public:
  void on_sentence(const akin::Sentence& sentence) override {
    for (const akin::Word& word : sentence.words) {
      const auto [place, fresh] = numbers_.try_emplace(akin::to_utf8(word.letters),
                                                       static_cast<std::uint32_t>(spellings_.size() + 1));
      if (fresh) {
        spellings_.push_back(&place->first);
        keys_.push_back(word.key);
      }
      text_.push_back(place->second);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> take() { return std::exchange(text_, {}); }
  [[nodiscard]] const std::string& spelling(std::uint32_t number) const { return *spellings_[number - 1]; }
  [[nodiscard]] std::uint64_t key(std::uint32_t number) const { return keys_[number - 1]; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> spellings_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> text_;
};

void drop_repeated(std::vector<Shingle>& shingles) {
  std::ranges::sort(shingles);
  const auto repeated = std::ranges::unique(shingles);
  shingles.erase(repeated.begin(), repeated.end());
}

/// The first `wanted` distinct shingles, in the order of their words' numbers.
std::vector<Shingle> collect(std::size_t wanted, unsigned width, Words& words) {
  const auto dictionary = akin::Dictionary::open({});
  if (dictionary.has_error()) throw std::runtime_error(dictionary.error().message());
  std::vector<Shingle> shingles;
  shingles.reserve(wanted + wanted / 4);
  for (const char* folder : kFolders) {
    for (const Work& work : read_works(corpora_folder(), folder)) {
      const auto scanned = akin::scan_text(work.text, **dictionary, words);
      if (scanned.has_error()) throw std::runtime_error(work.id + ": " + scanned.error().message());
      const std::vector<std::uint32_t> text = words.take();
      for (std::size_t at = 0; at + width <= text.size(); ++at) {
        Shingle& shingle = shingles.emplace_back();
        std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), width, shingle.begin());
      }
      if (shingles.size() < wanted + wanted / 8) continue;
      drop_repeated(shingles);
      if (shingles.size() < wanted) continue;
      shingles.resize(wanted);
      return shingles;
    }
  }
  drop_repeated(shingles);
  if (shingles.size() >= wanted) shingles.resize(wanted);
  return shingles;
}

struct Function {
  std::string name;
  unsigned bits = 64;
  double range = 0;  ///< how many different hashes there are
  std::function<std::uint64_t(const std::string& text, const Shingle& shingle)> hash;
};

struct Collisions {
  std::uint64_t lost = 0;   ///< values less different hashes
  std::uint64_t pairs = 0;  ///< of values with one hash
};

Collisions count(std::vector<std::uint64_t>& hashes) {
  std::ranges::sort(hashes);
  Collisions found;
  std::uint64_t run = 1;
  for (std::size_t i = 1; i <= hashes.size(); ++i) {
    if (i < hashes.size() && hashes[i] == hashes[i - 1]) {
      ++run;
      continue;
    }
    found.lost += run - 1;
    found.pairs += run * (run - 1) / 2;
    run = 1;
  }
  return found;
}

std::vector<Function> functions(const Words& words, unsigned width) {
  std::vector<Function> all;
  const auto add = [&](std::string name, unsigned bits, auto hash) {
    all.push_back({std::move(name), bits, akin::hash_range(bits), std::move(hash)});
  };
  const auto add_prime = [&](const std::string& name, unsigned bits, const KarpRabin& fingerprint) {
    all.push_back({name, bits, static_cast<double>(fingerprint.prime()),
                   [fingerprint](const std::string& text, const Shingle&) { return fingerprint.of(text); }});
  };
  add("CRC32", 32, [](const std::string& text, const Shingle&) { return crc32_of(text); });
  add_prime("the paper's prime", 32, KarpRabin::by(kPaperPrime));
  for (const unsigned bits : {32U, 40U, 48U, 56U, 64U})
    add_prime("Karp-Rabin " + std::to_string(bits), bits, KarpRabin(bits));
  add("CRC64", 64, [](const std::string& text, const Shingle&) { return crc64_of(text); });
  const auto mix = [&words, width](const std::string&, const Shingle& shingle) {
    akin::RollingHash hash(width, true);
    for (unsigned i = 0; i < width; ++i) hash.push(words.key(shingle[i]));
    return hash.value();
  };
  for (const unsigned bits : {32U, 40U, 48U, 56U}) {
    add("akin, lower " + std::to_string(bits), bits, [mix, bits](const std::string& text, const Shingle& s) {
      return mix(text, s) & ((std::uint64_t{1} << bits) - 1);
    });
  }
  add("akin", 64, mix);
  return all;
}

int run(std::size_t wanted, unsigned width) {
  if (corpora_folder().empty()) {
    std::puts("no corpora (AKIN_CORPORA)");
    return 77;
  }
  Words words;
  const std::vector<Shingle> shingles = collect(wanted, width, words);
  if (shingles.size() < wanted) {
    std::fprintf(stderr, "the corpora have only %zu different shingles\n", shingles.size());
    return 2;
  }
  const auto values = static_cast<double>(shingles.size());
  std::printf("%zu different shingles of %u words\n\n", shingles.size(), width);
  std::printf("%-17s %5s %12s %14s %10s %8s\n", "function", "bits", "lost values", "expected", "deviation",
              "pairs");
  std::vector<std::uint64_t> hashes(shingles.size());
  for (const Function& function : functions(words, width)) {
    std::string text;
    for (std::size_t i = 0; i < shingles.size(); ++i) {
      text.clear();
      for (unsigned at = 0; at < width; ++at) {
        if (at > 0) text += ' ';
        text += words.spelling(shingles[i][at]);
      }
      hashes[i] = function.hash(text, shingles[i]);
    }
    const Collisions found = count(hashes);
    const double expected = akin::expected_lost_values(values, function.range);
    const double off = (static_cast<double>(found.lost) - expected) / std::sqrt(expected);
    std::printf("%-17s %5u %12" PRIu64 " %14.6g %+9.2fσ %8" PRIu64 "\n", function.name.c_str(), function.bits,
                found.lost, expected, off, found.pairs);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Counts collisions of hash functions over different shingles of the corpora");
  std::size_t shingles = 10'376'876;  // the paper's
  unsigned width = 5;
  app.add_option("--shingles", shingles, "Different shingles")->capture_default_str();
  app.add_option("--words", width, "Words of a shingle")->check(CLI::Range(1U, 8U))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(shingles, width);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "measure_collisions: %s\n", failure.what());
    return 2;
  }
}
