#include "tests/support/long_text_fixture.h"

#include "index/store/kept_words.h"

namespace akin::test {

std::string long_text(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) {
    text += "Слово номер " + std::to_string(i) + " стоит в строке " + std::to_string(i % 7919) + ".\n";
    if (i % 10 == 0) text += '\n';
  }
  return text;
}

const std::string& text_in_parts() {
  static const std::string text = long_text((std::size_t{5} << 20U) + 12'345);
  return text;
}

LongTextTest::LongTextTest() : collection_(must(catalog_->create("c", std::string(kDefaultScheme)))) {}

std::optional<std::string> LongTextTest::kept(const std::string& id) const {
  const std::unique_ptr<Snapshot> snapshot = must(collection_->snapshot());
  std::optional<std::string> words;
  must(snapshot->kept_words(must(snapshot->document(id)), [&](std::string_view kept) -> Result<void> {
    words = kept;
    return {};
  }));
  return words;
}

void LongTextTest::expect_words(const std::string& id, const std::string& text) const {
  const auto bytes = kept(id);
  ASSERT_TRUE(bytes);
  const auto words = must(decode_kept_words(*bytes, text.size(), collection_->dictionary(), id));
  ASSERT_TRUE(words);
  EXPECT_TRUE(words->is_same(must(PackedWords::of(text, collection_->dictionary()))));
}

}  // namespace akin::test
