// Packed dictionaries: the same hashes after the files have changed, on any machine; damage is noticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/bytes.h"
#include "base/hash.h"
#include "dict/compile/packed_sources.h"
#include "dict/opened_table.h"
#include "tests/dict/tiny_pair.h"

namespace akin::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCompoundAff = "SET UTF-8\nCOMPOUNDFLAG Z\nSFX S Y 1\nSFX S 0 s .\n";

class PackedDictionary : public testing::Test {
 protected:
  std::shared_ptr<const Dictionary> unpack(std::string packed) {
    auto opened = Dictionary::unpack(std::move(packed), files_.folder() / "other-cache");
    if (!opened) throw std::runtime_error(opened.error().message());
    return *opened;
  }
  Error error_of(std::string packed) { return Dictionary::unpack(std::move(packed), files_.cache()).error(); }

  TinyDictionaries files_;
};

TEST_F(PackedDictionary, HasTheHashesOfTheDictionaryThatWasPacked) {
  const auto original = TinyDictionaries::open(files_.config({files_.write("xx", kPluralAff, "book/S\n")}));
  files_.write("xx", kPluralAff, "book\nhouse/S\n");
  const auto unpacked = unpack(std::string(original->packed()));
  EXPECT_EQ(unpacked->fingerprint(), original->fingerprint());
  EXPECT_EQ(hash_of(*unpacked, "books"), hash_of(*original, "books"));
  EXPECT_EQ(hash_of(*unpacked, "houses"), hash_of(*original, "houses"));
  EXPECT_EQ(unpacked->packed(), original->packed());
}

TEST_F(PackedDictionary, AsksHunspellAboutTheWordsOfThePack) {
  const auto original =
      TinyDictionaries::open(files_.config({files_.write("xx", kCompoundAff, "foot/ZS\nball/ZS\n")}));
  const auto before = hash_of(*original, "footballs");
  files_.write("xx", kCompoundAff, "hand/ZS\n");
  EXPECT_EQ(hash_of(*unpack(std::string(original->packed())), "footballs"), before);
}

TEST_F(PackedDictionary, AnOpenDictionaryAsksHunspellAboutTheWordsThatItWasOpenedWith) {
  const auto pair = files_.write("xx", kCompoundAff, "foot/ZS\nball/ZS\n");
  const auto untouched = TinyDictionaries::open(files_.config({pair}));
  const auto changed = TinyDictionaries::open(files_.config({pair}));
  const auto before = hash_of(*untouched, "footballs");
  files_.write("xx", kCompoundAff, "hand/ZS\n");
  EXPECT_EQ(hash_of(*changed, "footballs"), before);
}

TEST_F(PackedDictionary, KeepsSupplementsAndSynonyms) {
  auto config = files_.config({files_.write("xx", kPluralAff, "book/S\ntome\nwent\ngo\n")});
  config.supplements = {files_.write_file("more.txt", "go: went\n")};
  config.synonyms = {files_.write_file("same.txt", "book tome\n").string()};
  const auto original = TinyDictionaries::open(config);
  const auto unpacked = unpack(std::string(original->packed()));
  EXPECT_EQ(unpacked->synonym_fingerprint(), original->synonym_fingerprint());
  EXPECT_TRUE(unpacked->has_synonyms());
  EXPECT_EQ(hash_of(*unpacked, "went"), hash_of(*unpacked, "go"));
  EXPECT_EQ(unpacked->synonym_hash(hash_of(*unpacked, "book")),
            unpacked->synonym_hash(hash_of(*unpacked, "tome")));
}

TEST_F(PackedDictionary, KeepsThatEndingsAreNotUsed) {
  auto config = files_.config({files_.write("xx", kPluralAff, "book/S\n")});
  config.use_endings = false;
  const auto original = TinyDictionaries::open(config);
  EXPECT_EQ(unpack(std::string(original->packed()))->fingerprint(), original->fingerprint());
}

TEST_F(PackedDictionary, AppearsAgainWhenTheCacheHasLostOrDamagedIt) {
  const auto config = files_.config({files_.write("xx", kPluralAff, "book/S\n")});
  const std::string packed(TinyDictionaries::open(config)->packed());
  const fs::path file = files_.cache() / (std::string(packed_fingerprint(packed)) + ".sources");
  fs::resize_file(file, 40);
  EXPECT_EQ(TinyDictionaries::open(config)->packed(), packed);
  fs::remove(file);
  EXPECT_EQ(TinyDictionaries::open(config)->packed(), packed);
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(PackedDictionary, DamageOfAnyByteIsCorrupt) {
  const auto original = TinyDictionaries::open(files_.config({files_.write("xx", kPluralAff, "book/S\n")}));
  const std::string packed(original->packed());
  for (std::size_t at = 0; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    ASSERT_EQ(error_of(damaged).code, Errc::corrupt) << at;
    ASSERT_EQ(error_of(packed.substr(0, at)).code, Errc::corrupt) << at;
  }
}

TEST_F(PackedDictionary, OfAnAkinWithOtherHashesIsAMismatch) {
  const auto original = TinyDictionaries::open(files_.config({files_.write("xx", kPluralAff, "book/S\n")}));
  const auto content = unpack_sources(original->packed());
  ASSERT_TRUE(content.has_value());
  const auto renamed = pack_sources(*content, std::string(32, '0'));
  ASSERT_TRUE(renamed.has_value());
  EXPECT_EQ(error_of(*renamed).code, Errc::mismatch);
  EXPECT_EQ(error_of(*renamed).reason, "it was made by an akin with other text rules");
}

TEST_F(PackedDictionary, OfAnEarlierAkinNamesItsVersion) {
  auto config = files_.config({files_.write("xx", kPluralAff, "book/S\ntome\n")});
  config.synonyms = {files_.write_file("same.txt", "book tome\n").string()};
  for (const bool use_endings : {false, true}) {
    config.use_endings = use_endings;
    const auto content = unpack_sources(TinyDictionaries::open(config)->packed());
    ASSERT_TRUE(content.has_value());
    const auto made_with = [&](const RuleVersions& versions) {
      const Digest fingerprint = fingerprint_of(content->input, versions).all;
      return pack_sources(*content, fingerprint_text(fingerprint, use_endings)).value();
    };
    EXPECT_EQ(error_of(made_with({.compiler = 6, .text_rules = kHashVersion - 1})).reason,
              "it was made with version " + std::to_string(kHashVersion - 1) +
                  " of the text rules, and this akin has version " + std::to_string(kHashVersion));
    EXPECT_THAT(error_of(made_with({.compiler = 7})).reason,
                testing::StartsWith("it was made with version 7 of the tables of words, and this akin has"));
  }
}

TEST_F(PackedDictionary, HasFingerprintsThatAreKnownWithoutItsTable) {
  auto config = files_.config({files_.write("xx", kPluralAff, "book/S\ntome\n")});
  const auto plain = TinyDictionaries::open(config);
  config.synonyms = {files_.write_file("same.txt", "book tome\n").string()};
  config.use_endings = false;
  const auto joined = TinyDictionaries::open(config);
  for (const auto& dictionary : {plain, joined}) {
    const auto read = Dictionary::fingerprints_of_packed(dictionary->packed());
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->words, dictionary->fingerprint());
    EXPECT_EQ(read->synonyms, dictionary->synonym_fingerprint());
    EXPECT_EQ(read->has_synonyms, dictionary->has_synonyms());
  }
  EXPECT_EQ(Dictionary::fingerprints_of_packed("not a pack").error().code, Errc::corrupt);
}

}  // namespace
}  // namespace akin::test
