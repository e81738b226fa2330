#include "server/check/kept_bytes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "server/check/checks.h"
#include "server/state/clock_keys.h"
#include "server/state/copy_state.h"
#include "tests/server/state/state_place.h"

namespace akin::check {
namespace {

using json::Json;

class KeptBytesTest : public ::testing::Test {
 protected:
  void keep_for(const std::string& check, std::string_view bytes) {
    const KeptBytes packed = pack_to_keep(bytes).value();
    ASSERT_TRUE(
        state_->write([&](state::Writer& writer) { return keep(writer, packed, check); }).has_value());
  }
  void release_of(const std::string& check, std::string_view bytes) {
    const std::string digest = pack_to_keep(bytes)->digest;
    ASSERT_TRUE(
        state_->write([&](state::Writer& writer) { return release(writer, digest, check); }).has_value());
  }
  [[nodiscard]] static std::string encoded(const KeptSpace& space) {
    return std::to_string(space.pieces) + " " + std::to_string(space.bytes) + " " +
           std::to_string(space.stored_bytes);
  }
  [[nodiscard]] std::uint64_t pieces() const { return kept_space(*state_)->pieces; }
  /// A check of a text that was handed in as a file.
  Json add(std::string_view file, bool stores = true, std::string places = {}) {
    NewCheck made{.check = {{"policy", {{"store_files", stores}}}}, .text = "text"};
    made.places = std::move(places);
    made.file = OriginalFile{file, "essay.pdf", "application/pdf", "application/pdf; charset=utf-8"};
    return checks_.add(std::move(made), time_now()).value();
  }

  test::StatePlace place_;
  std::shared_ptr<state::State> state_ = place_.open();
  Checks checks_{state_, 0, 5'000};
};

TEST_F(KeptBytesTest, AreStoredOnceAndAsLongAsTheyAreUsed) {
  const std::string bytes(1000, 'x');
  keep_for("a", bytes);
  keep_for("b", bytes);
  keep_for("b", bytes);
  EXPECT_EQ(pieces(), 1U);
  EXPECT_EQ(kept_space(*state_)->bytes, 1000U);
  EXPECT_LT(kept_space(*state_)->stored_bytes, 100U);
  release_of("b", bytes);
  EXPECT_EQ(read_kept(*state_, pack_to_keep(bytes)->digest).value(), bytes);
  release_of("a", bytes);
  EXPECT_EQ(pieces(), 0U);
  EXPECT_EQ(read_kept(*state_, pack_to_keep(bytes)->digest).error().code, Errc::not_found);
}

TEST_F(KeptBytesTest, PlacesOfWordsAreKeptWithTheFileAndGoWithTheCheck) {
  const Json one = add("file", true, "places"), other = add("file", true, "places");
  EXPECT_EQ(pieces(), 3U);  // the text, the file, the places
  EXPECT_EQ(checks_.places(one.at("id").get<std::string>()).value(), "places");
  const Json without = add("file", false, "places");
  EXPECT_EQ(checks_.places(without.at("id").get<std::string>()).value(), "");
  for (const Json& check : {one, other, without})
    ASSERT_TRUE(checks_.erase(check.at("id").get<std::string>()).has_value());
  EXPECT_EQ(pieces(), 0U);
}

TEST_F(KeptBytesTest, TheTotalIsThatOfAllPiecesAfterEveryChange) {
  const auto sum_anew = [&] {
    const std::string total = encoded(kept_space(*state_).value());
    EXPECT_TRUE(state_->erase(state::Table::clock, state::kKeptSpace).has_value());
    EXPECT_EQ(encoded(kept_space(*state_).value()), total);
    return total;
  };
  std::mt19937 random(46);
  for (int step = 0; step < 200; ++step) {
    const std::string bytes(1 + random() % 20, static_cast<char>('a' + random() % 4));
    const std::string check(1, static_cast<char>('a' + random() % 3));
    random() % 2 == 0 ? keep_for(check, bytes) : release_of(check, bytes);
    if (step % 7 == 0) sum_anew();
  }
}

TEST_F(KeptBytesTest, TheTotalIsThatOfBothPlacesAfterACopyIntoOne) {
  add("file");
  test::StatePlace other;
  const auto to = other.open();
  Checks there(to, 0);
  ASSERT_TRUE(there.add({.check = {{"policy", Json::object()}}, .text = "another text"}, time_now()));
  EXPECT_EQ(there.space()->pieces, 1U);
  ASSERT_TRUE(state::copy_state(*state_, *to).has_value());
  EXPECT_EQ(there.space()->pieces, 3U);
  EXPECT_EQ(there.space()->bytes, std::string("another text"
                                              "file"
                                              "text")
                                      .size());
}

TEST_F(KeptBytesTest, ACheckGivesItsFileBackByteForByte) {
  const std::string file("%PDF-1.7\0\xff\n", 11);
  const Json check = add(file);
  const StoredFile original = checks_.original(checks_.get(check["id"].get<std::string>()).value()).value();
  EXPECT_EQ(original.bytes, file);
  EXPECT_EQ(original.name, "essay.pdf");
  EXPECT_EQ(original.media_type, "application/pdf");
}

TEST_F(KeptBytesTest, TwoChecksOfOneFileKeepItOnce) {
  const Json first = add("file"), second = add("file");
  EXPECT_EQ(pieces(), 2U);  // the file and the text
  EXPECT_TRUE(checks_.erase(first["id"].get<std::string>()).has_value());
  EXPECT_EQ(checks_.original(second)->bytes, "file");
  EXPECT_TRUE(checks_.erase(second["id"].get<std::string>()).has_value());
  EXPECT_EQ(pieces(), 0U);
}

TEST_F(KeptBytesTest, AFileIsNotKeptAgainstThePolicyNorWithoutSpace) {
  EXPECT_EQ(add("file", false)["original"], nullptr);
  std::string noise;
  for (unsigned i = 0, seed = 1; i < 6'000; ++i)
    noise += static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24);
  EXPECT_EQ(add(noise)["original"], nullptr);
  EXPECT_TRUE(add(noise.substr(0, 1'000))["original"].is_object());
  EXPECT_EQ(checks_.check_space(6'000).error().code, Errc::disk_full);
}

TEST_F(KeptBytesTest, AreCopiedWithTheirChecks) {
  const Json check = add("file");
  test::StatePlace other;
  const auto to = other.open();
  ASSERT_TRUE(state::copy_state(*state_, *to).has_value());
  EXPECT_EQ(Checks(to, 0).original(check)->bytes, "file");
  EXPECT_EQ(Checks(to, 0).text(check["id"].get<std::string>()).value(), "text");
}

}  // namespace
}  // namespace akin::check
