// The zstd dictionaries with which base/text_codec compresses pages of English and Russian. Usage:
//   text_dictionaries train FOLDER    makes english.zdict and russian.zdict of every other novel
//   text_dictionaries measure         bytes a byte of text of pages of the other novels, without and with
//   them
//
// Exit 0, or 2 when there are no corpora or something cannot be written.
#include <zdict.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <stdexcept>

#include "base/cyrillic_text.h"
#include "base/text_codec.h"
#include "tests/experiments/corpora.h"

namespace {

namespace fs = std::filesystem;
using akin::experiments::read_works;

constexpr std::size_t kDictionaryBytes = std::size_t{64} << 10U;
constexpr std::size_t kMostPages = 60;  ///< of a novel: long ones shall not outweigh the others

enum class Half : std::size_t { trained, measured };

/// Up to kMostPages pages of 2 to 12 kB of each novel of a half, from places that are the same in every run.
std::vector<std::string> pages_of(const std::string& folder, Half half) {
  std::mt19937_64 random(2026);
  std::vector<std::string> pages;
  const auto works = read_works(akin::experiments::corpora_folder(), folder);
  for (auto work = static_cast<std::size_t>(half); work < works.size(); work += 2) {
    const std::string_view text = works[work].text;
    std::vector<std::string> its;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = std::min<std::size_t>(text.size(), at + 2000 + random() % 10000);
      while (end < text.size() && (text[end] & 0xc0) == 0x80) ++end;  // not inside a character
      its.emplace_back(text.substr(at, end - at));
      at = end;
    }
    std::ranges::shuffle(its, random);
    its.resize(std::min(its.size(), kMostPages));
    std::ranges::move(its, std::back_inserter(pages));
  }
  return pages;
}

/// What zstd gets of a text.
std::string packed_or_itself(const std::string& text) {
  std::string packed;
  return akin::pack_cyrillic(text, packed) ? packed : text;
}

void train(const std::string& folder, const fs::path& out) {
  std::string samples;
  std::vector<std::size_t> sizes;
  for (const std::string& page : pages_of(folder, Half::trained)) {
    const std::string bytes = packed_or_itself(page);
    samples += bytes;
    sizes.push_back(bytes.size());
  }
  std::string dictionary(kDictionaryBytes, '\0');
  const std::size_t size = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), samples.data(),
                                                 sizes.data(), static_cast<unsigned>(sizes.size()));
  if (ZDICT_isError(size) != 0) throw std::runtime_error(ZDICT_getErrorName(size));
  std::ofstream file(out, std::ios::binary);
  file.write(dictionary.data(), static_cast<std::streamsize>(size));
  if (!file.flush()) throw std::runtime_error("cannot write " + out.string());
}

void measure(const char* language, const std::string& folder) {
  std::size_t text = 0, without = 0, with = 0;
  const auto pages = pages_of(folder, Half::measured);
  for (const std::string& page : pages) {
    text += page.size();
    without += akin::compress_bytes(packed_or_itself(page), true).value().size();
    with += akin::compress_text(page).value().size();
  }
  const auto share = [&](std::size_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(text);
  };
  std::printf("%-8s  %zu pages, %.1f MB: %.3f without, %.3f with\n", language, pages.size(),
              static_cast<double>(text) / 1e6, share(without), share(with));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The dictionaries of base/text_codec");
  app.require_subcommand(1);
  std::string folder;
  app.add_subcommand("train")->add_option("FOLDER", folder)->required();
  app.add_subcommand("measure");
  CLI11_PARSE(app, argc, argv);
  if (akin::experiments::corpora_folder().empty()) {
    std::fputs("no corpora\n", stderr);
    return 2;
  }
  try {
    if (folder.empty()) {
      measure("English", "en-novels");
      measure("Russian", "ru-novels");
    } else {
      train("en-novels", fs::path(folder) / "english.zdict");
      train("ru-novels", fs::path(folder) / "russian.zdict");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "text_dictionaries: %s\n", error.what());
    return 2;
  }
}
