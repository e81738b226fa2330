#include "tests/server/judge/judge_fixture.h"

namespace akin::judge {

const Dictionary& dictionary() {
  static const auto opened = [] {
    DictionaryConfig config;
    config.languages = {"ru", "en"};
    return need(Dictionary::open(config));
  }();
  return *opened;
}

const NumberWords& number_words() {
  static const NumberWords words(dictionary());
  return words;
}

std::uint64_t class_of(std::string_view word) {
  WordFolder folder;
  return dictionary().hash(folder.fold(word));
}

JudgedDocument prepared(const Document& document, const CollectionStatistics& statistics) {
  return need(Preparer(dictionary(), number_words(), statistics).prepare(document));
}

JudgedDocument prepared(std::string text) { return prepared(document("", std::move(text))); }

Document document(std::string id, std::string text) {
  Document made;
  made.id = std::move(id);
  made.text = std::move(text);
  return made;
}

}  // namespace akin::judge
