// Model files: a written model is read back, anything else is refused.
#include "server/judge/model.h"

#include <gmock/gmock.h>

#include "dict/table/content_hash.h"
#include "server/json/strict_json.h"
#include "tests/server/judge/judge_fixture.h"
#include "tests/server/judge/made_examples.h"

namespace akin::judge {
namespace {

using testing::HasSubstr;

const Model& model() {
  static const Model made = [] {
    Model model;
    model.name = "duplicate";
    model.languages = "ru,en";
    model.dictionary = dictionary().fingerprint();
    model.classifier = need(train_classifier(made_examples(60, 0.1), {}));
    Preparer preparer(dictionary(), number_words(), model.statistics);
    for (const char* text : {"Один дом.", "Один дом и два барсука.", "Барсук спит."}) {
      Document one = document("", text);
      one.title = "Барсук";
      need(preparer.count(one, model.statistics));
    }
    return model;
  }();
  return made;
}

/// The model's text with one change, and the digest that fits it.
std::string changed(const std::function<void(json::Json&)>& change) {
  json::Json object = need(json::parse_json(model_text(model())));
  object.erase("digest");
  change(object);
  std::string digest = to_hex(content_hash(json::compact(object)));
  object["digest"] = std::move(digest);
  return json::compact(object);
}

TEST(ModelFile, IsReadBackAsItWas) {
  const std::string text = model_text(model());
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const Model read = need(read_model(text, "m"));
  EXPECT_EQ(model_text(read), text);
  for (const Example& example : made_examples(40, 0.3, 99)) {
    ASSERT_EQ(read.classifier.judge(example.values).probability,
              model().classifier.judge(example.values).probability);
  }
  for (const char* word : {"дом", "барсук", "два", "неведомый"}) {
    EXPECT_EQ(read.statistics.texts.idf(class_of(word)), model().statistics.texts.idf(class_of(word)))
        << word;
  }
  EXPECT_EQ(read.classifier.sources.of("agency"), model().classifier.sources.of("agency"));
  EXPECT_FALSE(check_dictionary(read, dictionary()).has_error());
}

TEST(ModelFile, EveryProperPrefixIsRefused) {
  const std::string text = model_text(model());
  for (std::size_t size = 0; size + 1 < text.size(); size += size < 300 ? 1 : 97) {
    const auto read = read_model(std::string_view(text).substr(0, size), "m");
    ASSERT_TRUE(read.has_error()) << size;
    ASSERT_EQ(read.error().code, Errc::corrupt) << size;
  }
}

TEST(ModelFile, AnyChangedDigitIsFoundUnlessItTellsTheSameNumber) {
  const std::string text = model_text(model());
  std::size_t tried = 0;
  std::size_t found = 0;
  for (std::size_t at = 0; at < text.size(); at += 11) {
    if (text[at] < '0' || text[at] > '8') continue;
    std::string other = text;
    ++other[at];
    ++tried;
    const auto read = read_model(other, "m");
    ASSERT_TRUE(read.has_error() || model_text(*read) == text) << at;
    found += read.has_error() ? 1 : 0;
  }
  EXPECT_GT(tried, 20U);
  EXPECT_GT(10 * found, 9 * tried);
}

TEST(ModelFile, AnotherVersionIsToldAsSuch) {
  // Version 1 had fewer criteria, and no statistics of trigrams.
  const auto read = read_model(changed([](auto& object) { object["version"] = 1; }), "old.json");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().code, Errc::mismatch);
  EXPECT_THAT(read.error().message(), HasSubstr("old.json"));
  EXPECT_THAT(read.error().message(), HasSubstr("is of version 1, this akin reads 3"));
  EXPECT_THAT(read.error().message(), HasSubstr("akin-lab train"));
}

TEST(ModelFile, FieldsOutOfTheirRangeAreNamed) {
  const struct {
    const char* name;
    std::function<void(json::Json&)> change;
  } rows[] = {
      {"name", [](auto& o) { o["name"] = "../evil"; }},
      {"languages", [](auto& o) { o.erase("languages"); }},
      {"criteria", [](auto& o) { o["classifier"]["criteria"][0] = "nonsense"; }},
      {"criteria", [](auto& o) { o["classifier"]["criteria"] = json::Json::array(); }},
      {"criteria",
       [](auto& o) {
         o["classifier"]["criteria"] = {"title", "words"};
       }},
      {"means", [](auto& o) { o["classifier"]["means"].erase(0); }},
      {"spreads", [](auto& o) { o["classifier"]["spreads"][0] = 0.0; }},
      {"c", [](auto& o) { o["classifier"]["c"] = -1.0; }},
      {"least", [](auto& o) { o["classifier"]["least"].erase(0); }},
      {"most", [](auto& o) { o["classifier"].erase("most"); }},
      {"rho", [](auto& o) { o["classifier"]["rho"] = nullptr; }},
      {"weights", [](auto& o) { o["classifier"]["weights"].erase(0); }},
      {"sigmoid", [](auto& o) { o["classifier"]["sigmoid"][0] = 1.0; }},
      {"margins",
       [](auto& o) {
         o["classifier"]["margins"] = {0.9, 0.1};
       }},
      {"sources",
       [](auto& o) {
         o["classifier"]["sources"]["agency"] = {5, 2};
       }},
      {"terms", [](auto& o) { o["texts"]["terms"] = "zz"; }},
      {"terms", [](auto& o) { o["texts"]["terms"] = std::string(32, 'f'); }},
      {"documents", [](auto& o) { o["titles"]["documents"] = -1; }},
      {"trigrams", [](auto& o) { o.erase("trigrams"); }},
      {"pairs", [](auto& o) { o["classifier"]["record"].erase("pairs"); }},
  };
  for (const auto& row : rows) {
    const auto read = read_model(changed(row.change), "m");
    ASSERT_TRUE(read.has_error()) << row.name;
    EXPECT_EQ(read.error().code, Errc::corrupt) << row.name;
    EXPECT_THAT(read.error().reason, HasSubstr(row.name));
  }
  EXPECT_EQ(read_model("{\"format\":\"other\"}", "m").error().code, Errc::corrupt);
  EXPECT_EQ(read_model("[]", "m").error().code, Errc::corrupt);
}

TEST(ModelFile, OtherDictionariesAreRefused) {
  Model other = model();
  other.dictionary = "0";
  const auto checked = check_dictionary(other, dictionary());
  ASSERT_TRUE(checked.has_error());
  EXPECT_EQ(checked.error().code, Errc::mismatch);
  EXPECT_THAT(checked.error().message(), HasSubstr("ru,en"));
}

TEST(ModelNames, AreThoseThatMakeFiles) {
  for (const char* good : {"duplicate", "same-event", "A_1.v2"}) EXPECT_TRUE(is_model_name(good)) << good;
  for (const char* bad : {"", ".", ".hidden", "a/b", "a b", "ё"}) EXPECT_FALSE(is_model_name(bad)) << bad;
  EXPECT_FALSE(is_model_name(std::string(65, 'a')));
}

}  // namespace
}  // namespace akin::judge
