// The window of documents, and the stream over it.
#include "server/judge/stream.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "server/json/strict_json.h"
#include "server/judge/line_stream.h"
#include "tests/server/judge/judge_fixture.h"
#include "tests/server/judge/made_examples.h"

namespace akin::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr const char* kStory =
    "Венгерская компания построит под Воронежем два завода. Инвестиции составят пять миллионов евро. "
    "Строительство начнётся весной следующего года. Завод даст двести рабочих мест.";
constexpr const char* kCopy =
    "Два завода построит под Воронежем венгерская компания. Инвестиции составят пять миллионов евро. "
    "Строительство начнётся весной следующего года. Об этом пишет газета.";
constexpr const char* kOther = "Барсук переплыл пролив. Его встречали рыбаки. Погода была тихая.";

std::vector<std::string> ids(Window& window, const std::string& text) {
  std::vector<std::string> found;
  for (const std::uint64_t number : window.candidates(prepared(text)).best)
    found.push_back(window[number].id);
  return found;
}

void insert(Window& window, const std::string& id, const std::string& text, std::int64_t time = 0) {
  window.advance(time);
  window.insert({id, time, nullptr, prepared(text)});
}

TEST(Window, NominatesWhatSharesASentenceBestFirst) {
  WindowOptions options;
  options.candidate_rule = CandidateRule::sentences;
  Window window(options);
  insert(window, "other", kOther);
  insert(window, "copy", kCopy);
  insert(window, "story", kStory);
  insert(window, "again", kStory);
  EXPECT_THAT(ids(window, kStory), ElementsAre("story", "again", "copy"));
  EXPECT_THAT(ids(window, "Его встречали рыбаки."), ElementsAre("other"));
  EXPECT_THAT(ids(window, "Совсем другое."), IsEmpty());
}

TEST(Window, WaysToNominateDifferAsTold) {
  const std::map<CandidateRule, std::vector<std::string>> expected{
      {CandidateRule::sentences, {"story"}},
      {CandidateRule::sentence_pairs, {"story"}},
      {CandidateRule::both, {"story"}},
  };
  for (const auto& [candidate_rule, found] : expected) {
    WindowOptions options;
    options.candidate_rule = candidate_rule;
    Window window(options);
    insert(window, "story", kStory);
    EXPECT_EQ(ids(window, kCopy), found) << candidate_rule_name(candidate_rule);
    // A single sentence is not a pair.
    const bool alone = ids(window, "Инвестиции составят пять миллионов евро. Так.").empty();
    EXPECT_EQ(alone, candidate_rule == CandidateRule::sentence_pairs) << candidate_rule_name(candidate_rule);
  }
  WindowOptions options;
  options.candidate_rule = CandidateRule::two_heaviest;
  Window window(options);
  insert(window, "badger", "Барсук барсук барсук пролив пролив пролив плыл.");
  EXPECT_THAT(ids(window, "Барсук барсук барсук! Пролив пролив пролив? Тихо."), ElementsAre("badger"));
  EXPECT_THAT(ids(window, "Барсук барсук барсук! Пролив? Тихо тихо тихо."), IsEmpty());
  options.candidate_rule = CandidateRule::heavy_words;
  Window heavy(options);
  insert(heavy, "badger", "Барсук плыл через синий холодный пролив.");
  EXPECT_THAT(ids(heavy, "Через холодный синий пролив переплыл барсук."), ElementsAre("badger"));
  EXPECT_THAT(ids(heavy, "Через синий пролив переплыл барсук."), IsEmpty());  // a stop word weighs nothing
  EXPECT_THAT(ids(heavy, "Барсук спит."), IsEmpty());
}

TEST(Window, NamesOfWaysAreParsedBack) {
  for (const CandidateRule candidate_rule :
       {CandidateRule::sentence_pairs, CandidateRule::sentences, CandidateRule::two_heaviest,
        CandidateRule::heavy_words, CandidateRule::both}) {
    EXPECT_EQ(need(parse_candidate_rule(candidate_rule_name(candidate_rule))), candidate_rule);
  }
  EXPECT_EQ(parse_candidate_rule("guess").error().code, Errc::invalid_argument);
}

TEST(Window, LetsGoOfWhatIsTooOld) {
  WindowOptions options;
  options.seconds = 100;
  Window window(options);
  insert(window, "a", kStory, 1000);
  insert(window, "b", kStory, 1050);
  window.advance(1100);
  EXPECT_THAT(ids(window, kStory), ElementsAre("a", "b"));
  window.advance(1101);
  EXPECT_THAT(ids(window, kStory), ElementsAre("b"));
  window.advance(50);  // time does not go back
  EXPECT_THAT(ids(window, kStory), ElementsAre("b"));
  window.advance(5000);
  EXPECT_EQ(window.size(), 0U);
  EXPECT_EQ(window.features(), 0U);
  EXPECT_EQ(window.find("a"), std::nullopt);
}

TEST(Window, HoldsNoMoreThanItMay) {
  WindowOptions options;
  options.documents = 3;
  Window window(options);
  for (int i = 0; i < 10; ++i) insert(window, std::to_string(i), kStory);
  EXPECT_EQ(window.size(), 3U);
  EXPECT_THAT(ids(window, kStory), ElementsAre("7", "8", "9"));
}

TEST(Window, FrequentFeaturesNominateTheLastOnes) {
  WindowOptions options;
  options.candidates_by_feature = 2;
  options.candidate_rule = CandidateRule::sentences;
  Window window(options);
  for (int i = 0; i < 5; ++i) insert(window, std::to_string(i), "Читайте также.");
  EXPECT_THAT(ids(window, "Читайте также."), ElementsAre("3", "4"));
}

TEST(Window, CandidatesAreBounded) {
  WindowOptions options;
  options.candidates = 2;
  Window window(options);
  insert(window, "weak", "Завод даст двести рабочих мест. Прочее иначе.");
  insert(window, "copy", kCopy);
  insert(window, "story", kStory);
  EXPECT_THAT(ids(window, kStory), ElementsAre("story", "copy"));
  EXPECT_EQ(window.candidates(prepared(kStory)).generated, 3U);
}

TEST(Window, TellsWhatItsBoundsLeaveOut) {
  WindowOptions options;
  options.candidates_by_feature = 2;
  options.candidate_rule = CandidateRule::sentences;
  Window window(options);
  insert(window, "a", "Читайте также. Раз.");
  insert(window, "b", "Читайте также. Два.");
  const Candidates all = window.candidates(prepared("Читайте также. Раз. Ещё."));
  EXPECT_EQ(all.generated, 2U);
  EXPECT_EQ(all.cut_features, 0U);  // as many as may be
  insert(window, "c", "Читайте также. Три.");
  const Candidates cut = window.candidates(prepared("Читайте также. Раз. Ещё."));
  EXPECT_EQ(cut.generated, 3U);  // "a" by its other sentence
  EXPECT_EQ(cut.cut_features, 1U);
}

/// The window's promises on random inserts and removals, against a list that is searched from end to end.
TEST(Window, FindsWhatASearchOfAllFinds) {
  WindowOptions options;
  options.candidate_rule = CandidateRule::sentences;
  options.seconds = 40;
  options.documents = 25;
  options.candidates = 1000;
  Window window(options);
  struct Kept {
    std::string id;
    std::int64_t time;
    std::set<int> sentences;
  };
  std::vector<Kept> kept;
  std::mt19937_64 random(4);
  const auto text_of = [](const std::set<int>& sentences) {
    std::string text;
    for (const int sentence : sentences) text += "Слово" + std::to_string(sentence) + " здесь. ";
    return text;
  };
  for (int step = 0; step < 400; ++step) {
    const std::int64_t time = step * 3 - static_cast<std::int64_t>(random() % 10);
    std::set<int> sentences;
    for (int i = 0; i < 4; ++i) sentences.insert(static_cast<int>(random() % 30));
    static std::int64_t latest = time;
    latest = std::max(latest, time);
    window.advance(time);
    while (!kept.empty() && kept.front().time < latest - options.seconds) kept.erase(kept.begin());
    std::set<std::string> expected;
    for (const Kept& one : kept) {
      for (const int sentence : sentences) {
        if (one.sentences.contains(sentence)) expected.insert(one.id);
      }
    }
    const auto found = ids(window, text_of(sentences));
    ASSERT_EQ(std::set(found.begin(), found.end()), expected) << step;
    if (random() % 5 == 0 && !kept.empty()) {
      const std::size_t at = random() % kept.size();
      window.remove(*window.find(kept[at].id));
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(at));
    }
    insert(window, std::to_string(step), text_of(sentences), time);
    if (kept.size() >= options.documents) kept.erase(kept.begin());
    kept.push_back({std::to_string(step), time, sentences});
    ASSERT_EQ(window.size(), kept.size());
  }
}

struct Answered {
  std::string answer, original, group;
  friend bool operator==(const Answered&, const Answered&) = default;
};

Answered answered(const StreamAnswer& answer) {
  const json::Json line = need(json::parse_json(answer_line(1, answer, {}, false)));
  const auto text = [&](const char* name) {
    return line.at(name).is_string() ? line.at(name).get<std::string>() : std::string("-");
  };
  return {text("answer"), text("original"), text("group")};
}

TEST(Stream, TellsDuplicatesFromNewDocuments) {
  StreamJudge judge({}, {});
  EXPECT_EQ(answered(judge.take("a", 0, prepared(kStory))), (Answered{"new", "-", "a"}));
  EXPECT_EQ(answered(judge.take("b", 0, prepared(kOther))), (Answered{"new", "-", "b"}));
  EXPECT_EQ(answered(judge.take("c", 0, prepared(kCopy))), (Answered{"duplicate", "a", "a"}));
  EXPECT_EQ(answered(judge.take("d", 0, prepared(kStory))), (Answered{"duplicate", "a", "a"}));
}

TEST(Stream, GroupIsThatOfTheFirstOfAChain) {
  StreamOptions options;
  options.window.seconds = 100;
  StreamJudge judge({}, options);
  (void)judge.take("a", 0, prepared("Один дом стоит. Два дома лежат. Три дома сидят."));
  (void)judge.take("b", 90, prepared("Один дом стоит. Два дома лежат. Барсук плывёт."));
  // a has left the window by now; b still knows whose copy it is.
  EXPECT_EQ(answered(judge.take("c", 150, prepared("Барсук плывёт. Два дома лежат. Всё."))),
            (Answered{"duplicate", "b", "a"}));
}

JudgedDocument published_by(const std::string& source, std::int64_t time, const std::string& text) {
  Document made = document("", text);
  made.source = source;
  made.time = time;
  return prepared(made);
}

json::Json answered_line(const StreamAnswer& answer) {
  return need(json::parse_json(answer_line(1, answer, {}, false)));
}

TEST(Stream, ADocumentThatArrivesAfterItsCopiesCorrectsTheFirstOfTheStory) {
  StreamJudge judge({}, {});
  EXPECT_FALSE(
      answered_line(judge.take("portal", 300, published_by("portal.example", 300, kCopy))).contains("first"));
  const json::Json second =
      answered_line(judge.take("lenta", 400, published_by("lenta.example", 400, kCopy)));
  EXPECT_EQ(
      second.at("first"),
      json::Json({{"id", "portal"}, {"source", "portal.example"}, {"time", "1970-01-01T00:05:00.000000Z"}}));
  EXPECT_FALSE(second.contains("corrects"));
  const json::Json late =
      answered_line(judge.take("agency", 100, published_by("agency.example", 100, kCopy)));
  EXPECT_EQ(late.at("group"), "portal");
  EXPECT_EQ(late.at("first").at("id"), "agency");
  EXPECT_EQ(late.at("corrects"), "portal");
  const json::Json next = answered_line(judge.take("vesti", 100, prepared(kCopy)));
  EXPECT_EQ(next.at("first").at("source"), "agency.example")
      << "of two with one time the one that arrived first";
  EXPECT_FALSE(next.contains("corrects"));
  const json::Json again = answered_line(judge.take("agency", 50, published_by("", 50, kCopy)));
  EXPECT_EQ(again.at("first").at("time"), "1970-01-01T00:00:50.000000Z");
  EXPECT_FALSE(again.contains("corrects")) << "it was the first before";
}

TEST(Stream, OfTwoDocumentsTheLaterOneIsTakenFromTheOther) {
  const std::string excerpt = "Один дом стоит там.";
  const std::string whole = excerpt + " Два дома лежат тут. Три дома сидят вместе. Четыре дома спят долго.";
  for (const auto& [time, expected] : {std::pair{100, "new"}, std::pair{10, "duplicate"}}) {
    StreamOptions options;
    options.rule = Rule::sentences;
    StreamJudge judge({}, options);
    (void)judge.take("excerpt", 50, prepared(excerpt));
    EXPECT_EQ(answered(judge.take("whole", time, prepared(whole))).answer, expected);
  }
}

TEST(Stream, ThresholdIsTheShareOfSentencesByWords) {
  for (const auto& [threshold, expected] : {std::pair{0.74, "duplicate"}, std::pair{0.76, "new"}}) {
    StreamOptions options;
    options.rule = Rule::sentences;
    options.threshold = threshold;
    StreamJudge judge({}, options);
    (void)judge.take("a", 0, prepared("Один дом стоит там. Два дома лежат тут. Три дома сидят вместе."));
    EXPECT_EQ(answered(judge.take("b", 0,
                                  prepared("Один дом стоит там. Два дома лежат тут. Три дома сидят "
                                           "вместе. Четыре дома спят долго.")))
                  .answer,
              expected);
  }
}

/// A document of a title and a text.
JudgedDocument titled(std::string title, std::string text) {
  Document made = document("", std::move(text));
  made.title = std::move(title);
  return prepared(made);
}

TEST(Stream, TheRuleFindsOneEventInOtherWords) {
  const JudgedDocument first =
      titled("Венгры построят два завода под Воронежем",
             "Венгерская компания построит под Воронежем два завода. Об этом рассказал губернатор Гусев.");
  const JudgedDocument second = titled(
      "Под Воронежем появятся два венгерских завода",
      "Губернатор Гусев сообщил о двух заводах. Венгры вложат деньги, построит их под Воронежем компания.");
  for (const auto& [rule, expected] :
       {std::pair{Rule::event, "duplicate"}, std::pair{Rule::sentences, "new"}}) {
    StreamOptions options;
    options.rule = rule;
    StreamJudge judge({}, options);
    (void)judge.take("a", 0, first);
    EXPECT_EQ(answered(judge.take("b", 0, second)).answer, expected);
  }
}

TEST(Stream, TheRuleKeepsBulletinsOfTwoTownsApart) {
  StreamJudge judge({}, {});
  (void)judge.take("a", 0,
                   titled("Погода в Бресте на 17 мая", "Сегодня, 17 мая, в Бресте облачно. Днём плюс 15."));
  const StreamAnswer answer = judge.take(
      "b", 0, titled("Погода в Гомеле на 18 мая", "Сегодня, 18 мая, в Гомеле пасмурно. Днём плюс 16."));
  EXPECT_EQ(answer.compared, 1U);
  EXPECT_EQ(answered(answer).answer, "new");
}

TEST(Stream, AnIdIsNeverItsOwnOriginal) {
  StreamJudge judge({}, {});
  (void)judge.take("a", 0, prepared(kStory));
  const StreamAnswer again = judge.take("a", 0, prepared(kStory));
  EXPECT_TRUE(again.replaced);
  EXPECT_EQ(answered(again), (Answered{"new", "-", "a"}));
  EXPECT_EQ(judge.window().size(), 1U);
  EXPECT_EQ(answered(judge.take("b", 0, prepared(kCopy))), (Answered{"duplicate", "a", "a"}));
}

TEST(Stream, DocumentsWithoutWordsAreNew) {
  StreamJudge judge({}, {});
  EXPECT_EQ(answered(judge.take("a", 0, prepared(""))).answer, "new");
  EXPECT_EQ(answered(judge.take("b", 0, prepared("…"))).answer, "new");
}

/// A model that decides by the cosine of words alone.
Model by_words(const std::string& name, double noise) {
  Model model;
  model.name = name;
  TrainingOptions options;
  options.criteria = {Criterion::words};
  model.classifier = need(train_classifier(made_examples(200, noise), options));
  return model;
}

TEST(Stream, ModelsJudgeSideBySideAndTheFirstDecides) {
  const std::vector<Model> models{by_words("duplicate", 0), by_words("doubtful", 0.45)};
  StreamJudge judge(models, {});
  (void)judge.take("a", 0, prepared(kStory));
  const StreamAnswer answer = judge.take("b", 0, prepared(kStory));
  ASSERT_EQ(answer.findings.size(), 2U);
  EXPECT_EQ(answer.findings[0].judgement.classification, Classification::yes);
  EXPECT_NE(answer.findings[1].judgement.classification, Classification::yes);
  const json::Json line = need(json::parse_json(answer_line(7, answer, models, true)));
  EXPECT_EQ(line.at("line"), 7);
  EXPECT_EQ(line.at("answer"), "duplicate");
  EXPECT_EQ(line.at("original"), "a");
  EXPECT_EQ(line.at("criteria").at("words"), 1.0);
  EXPECT_TRUE(line.at("criteria").at("time").is_null());
  EXPECT_EQ(line.at("models").at("duplicate").at("verdict"), "yes");
  EXPECT_EQ(line.at("models").at("doubtful").at("original"), "a");
  EXPECT_EQ(line.at("compared"), 1);
}

TEST(Stream, ModelOfTheSourceDecides) {
  const std::vector<Model> models{by_words("duplicate", 0), by_words("doubtful", 0.45)};
  LineStreamOptions options;
  options.choice = ModelChoice{"source", {{"valley.example", "doubtful"}}, "duplicate"};
  const std::vector<std::string> sources = {"hill.example", "valley.example", "hill.example"};
  std::vector<json::Json> answers;
  StreamTally tally;
  std::size_t next = 0;
  const LineStream stream(dictionary(), models, options);
  need(stream.run(
      [&]() -> Result<std::optional<NumberedLine>> {
        if (next == sources.size()) return std::optional<NumberedLine>();
        const json::Json line = {{"id", std::to_string(next)}, {"text", kStory}, {"source", sources[next]}};
        return std::optional(NumberedLine{++next, json::compact(line)});
      },
      [&](std::string_view answer, bool) {
        answers.push_back(need(json::parse_json(answer)));
        return true;
      },
      tally));
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[1].at("model"), "doubtful");
  EXPECT_NE(answers[1].at("answer"), "duplicate");
  EXPECT_EQ(answers[2].at("model"), "duplicate");
  EXPECT_EQ(answers[2].at("answer"), "duplicate");
}

TEST(Stream, ErrorLinesNameLineAndReason) {
  const json::Json line = need(json::parse_json(error_line(3, "", {Errc::invalid_json, "x", "y", "z"})));
  EXPECT_EQ(line.at("line"), 3);
  EXPECT_EQ(line.at("error").at("code"), "invalid_json");
  EXPECT_EQ(line.at("error").at("reason"), "y");
}

}  // namespace
}  // namespace akin::judge
