#include "tests/support/write_history.h"

#include "base/hash.h"
#include "tests/support/numbered.h"

namespace akin::test {

namespace {

constexpr std::uint64_t kIds = 40;
constexpr int kSentences = 6;

class Choice {
 public:
  explicit Choice(std::uint64_t seed) : state_(mix64(seed)) {}
  std::uint64_t below(std::uint64_t end) { return (state_ = mix64(state_ + 1)) % end; }

 private:
  std::uint64_t state_;
};

/// Never an abbreviation such as "wg", whose full stop would not end the sentence.
std::string word(std::uint64_t number) {
  std::string letters = "word";
  for (; number > 0; number /= 26) letters += static_cast<char>('a' + number % 26);
  return letters;
}

std::string text_of(Choice& choice) {
  std::string text;
  const std::uint64_t kind = choice.below(1'000'000);
  for (int i = 0; i < kSentences; ++i) {
    text += "Here " + word(kind) + " stands " + word(choice.below(100)) + " and " + word(choice.below(100)) +
            ". ";
  }
  return text;
}

}  // namespace

Write write_of(std::uint32_t writer, std::uint32_t number) {
  Choice choice((std::uint64_t{writer} << 32) + number);
  const auto id = [&] { return numbered(numbered("w", writer) + "-", choice.below(kIds)); };
  Write write;
  const std::uint64_t kind = choice.below(8);
  if (kind == 0) {
    for (int i = 0; i < 10; ++i) write.put[id()] = text_of(choice);
  } else if (kind <= 2) {
    for (int i = 0; i < 3; ++i) write.removed.push_back(id());
  } else {
    write.put[id()] = text_of(choice);
  }
  return write;
}

void perform(const Write& write, Texts& texts) {
  for (const auto& [id, text] : write.put) texts[id] = text;
  for (const std::string& id : write.removed) texts.erase(id);
}

Result<void> perform(const Write& write, Collection& collection) {
  if (!write.removed.empty()) {
    AKIN_CHECK(collection.remove(write.removed));
  } else if (write.put.size() == 1) {
    const auto& [id, text] = *write.put.begin();
    AKIN_CHECK(collection.put({id, "", "", text}));
  } else {
    std::vector<SourceDocument> sources;
    for (const auto& [id, text] : write.put) sources.push_back({id, "", "", text});
    AKIN_CHECK(collection.put_all(sources));
  }
  return {};
}

Texts stored_texts(const Collection& collection) {
  Texts texts;
  const std::unique_ptr<Snapshot> view = collection.snapshot().value();
  for (const DocumentRecord& record : view->list("", 1'000'000).value())
    texts[record.id] = view->text(record.id).value();
  return texts;
}

}  // namespace akin::test
