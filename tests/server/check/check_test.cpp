// What a check finds and excludes, over a real store without dictionaries.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "base/waiting.h"
#include "server/check/run.h"
#include "tests/server/api/service_fixture.h"

namespace akin::check {
namespace {

using test::sentences;

class CheckTest : public ::testing::Test {
 protected:
  void SetUp() override {
    make("books", "sentence-pairs");
    put("books", "source", sentences(100, 10));
    put("books", "other", sentences(900, 8));
  }
  void make(const std::string& collection, const std::string& scheme) {
    ASSERT_TRUE(service_.catalog->create(collection, scheme).has_value());
  }
  void put(const std::string& collection, const std::string& id, const std::string& text,
           const std::string& metadata = "") {
    ASSERT_TRUE(service_.catalog->get(collection).value()->put({id, "", metadata, text}).has_value());
  }
  Outcome check(const std::string& text, const Policy& policy = {}, const std::string& owner = "") {
    CheckRequest request;
    request.collections = {"books"};
    request.text = text;
    request.policy = policy;
    request.owner = owner;
    return run_check(*service_.catalog, request).value();
  }

  test::TemporaryFolder folder_;
  api::Service service_ = test::open_service(folder_.path());
  /// Ten sentences of `source`, ten of the author's own.
  const std::string half_ = sentences(100, 10) + "\n\n" + sentences(500, 10);
};

TEST_F(CheckTest, OwnWordsPass) {
  const Outcome outcome = check(sentences(500, 10));
  EXPECT_EQ(outcome.verdict, Verdict::pass);
  EXPECT_EQ(outcome.share(), 0.0);
  EXPECT_EQ(outcome.sources_total, 0U);
  EXPECT_TRUE(outcome.reasons.empty());
}

/// Eight sentences of twelve times as many words as those of `sentences`.
std::string long_sentences() {
  std::string text;
  for (int number = 5000; number < 5096; number += 12) {
    std::string joined = sentences(number, 12);
    std::ranges::replace(joined, '.', ' ');
    text += joined + ". ";
  }
  return text;
}

TEST_F(CheckTest, RowsThatEveryoneWritesAreNoShare) {
  const std::string years =
      "1990\n\n1991\n\n1992\n\n1993\n\n1994\n\n1995\n\n1996\n\n1997\n\n1998\n\n1999\n\n";
  const std::string letters = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z\n\n";
  make("tables", std::string(kDefaultScheme));
  put("tables", "source", years + letters + sentences(100, 3));
  CheckRequest request;
  request.collections = {"tables"};
  request.text = letters + years + sentences(500, 3);
  const Outcome outcome = run_check(*service_.catalog, request).value();
  EXPECT_EQ(outcome.share(), 0.0);
  EXPECT_EQ(outcome.sources_total, 0U);
}

TEST_F(CheckTest, SentencesOfUnusualLengthAreToBeReviewed) {
  put("books", "usual", sentences(2000, 200));
  const std::string text = long_sentences();
  const Outcome outcome = check(text);
  ASSERT_EQ(outcome.reasons.size(), 1U);
  EXPECT_EQ(outcome.reasons[0].kind, Reason::Kind::sentence_length);
  EXPECT_EQ(outcome.verdict, Verdict::review);
  EXPECT_GT(outcome.reasons[0].value, 5 * outcome.reasons[0].usual);
  Policy policy;
  policy.review_sentence_length.reset();
  EXPECT_EQ(check(text, policy).verdict, Verdict::pass);
}

/// Many cells of one table, rows of a list and lines of verse, beside some sentences.
std::vector<std::string> tables_and_lists() {
  std::string numbers, names, entries, lines, answers;
  for (int number = 0; number < 200; ++number) {
    numbers += std::to_string(number) + ",5" + (number % 8 == 7 ? "\n" : "\t");
    names += "Smith\tpassed\t" + std::to_string(number) + "\tyes\n";
    entries += "river, " + std::to_string(number) + ", 17\n";
    lines += number % 4 == 3 ? "and the water sleeps\n\n" : "over the quiet hills\n";
    answers += "\"Yes.\"\n\n\"No?\"\n\n";
  }
  return {numbers, names, entries, lines, answers};
}

TEST_F(CheckTest, TablesAndListsAreNoSentencesOfUnusualLength) {
  put("books", "usual", sentences(2000, 200));
  for (const std::string& table : tables_and_lists()) {
    const Outcome outcome = check(sentences(500, 20) + "\n\n" + table);
    EXPECT_EQ(outcome.verdict, Verdict::pass) << table.substr(0, 60);
  }
}

TEST_F(CheckTest, MarksThatWereAddedAreToBeReviewed) {
  put("books", "usual", sentences(2000, 200));
  std::string text = sentences(5000, 60);
  for (std::size_t at = 0; (at = text.find(' ', at)) != std::string::npos; at += 2) text.replace(at, 1, ". ");
  const Outcome outcome = check(text);
  ASSERT_EQ(outcome.reasons.size(), 1U);
  EXPECT_EQ(outcome.reasons[0].kind, Reason::Kind::sentence_length);
  EXPECT_LT(5 * outcome.reasons[0].value, outcome.reasons[0].usual);
}

TEST_F(CheckTest, CollectionsOfFewWordsHaveNoUsualSentences) {
  EXPECT_EQ(check(long_sentences()).verdict, Verdict::pass);
}

TEST_F(CheckTest, TextsThatAreMostlyQuotedAreToBeReviewed) {
  const std::string quoted = "\"" + sentences(5000, 80) + "\"";
  const Outcome outcome = check(quoted + " " + sentences(7000, 20));
  ASSERT_EQ(outcome.reasons.size(), 1U);
  EXPECT_EQ(outcome.reasons[0].kind, Reason::Kind::quotations);
  EXPECT_EQ(outcome.reasons[0].value, 0.8);  // all sentences have equally many letters
  EXPECT_EQ(outcome.verdict, Verdict::review);
  EXPECT_EQ(check(quoted + " " + sentences(7000, 30)).verdict, Verdict::pass);
  Policy policy;
  policy.review_quotations = 0.8;
  policy.exclude.quotations = true;
  EXPECT_EQ(check(quoted + " " + sentences(7000, 20), policy).reasons[0].kind, Reason::Kind::quotations);
  EXPECT_EQ(check("\"" + sentences(5000, 16) + "\"").verdict, Verdict::pass) << "fewer than 100 words";
  policy.review_quotations.reset();
  EXPECT_EQ(check(quoted + " " + sentences(7000, 60), policy).verdict, Verdict::pass);
}

TEST_F(CheckTest, EndsWhenItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  CheckRequest request;
  request.collections = {"books"};
  request.text = half_;
  const WorkUnder under(nullptr, stop.get_token());
  EXPECT_EQ(run_check(*service_.catalog, request).error().code, Errc::busy);
}

TEST_F(CheckTest, CopyIsFoundAsAWholeAndRefused) {
  const Outcome outcome = check(sentences(100, 10));
  EXPECT_EQ(outcome.verdict, Verdict::refuse);
  EXPECT_EQ(outcome.share(), 1.0);
  ASSERT_EQ(outcome.sources.size(), 1U);
  EXPECT_EQ(outcome.sources[0].overlap.x, 10U);
  EXPECT_EQ(outcome.share(outcome.sources[0]), 1.0);
  ASSERT_EQ(outcome.reasons.size(), 2U);
  EXPECT_EQ(outcome.reasons[0].kind, Reason::Kind::share);
  EXPECT_EQ(outcome.reasons[1].id, "source");
}

TEST_F(CheckTest, ShareIsThatOfTheLettersInFoundPassages) {
  const Outcome outcome = check(half_);
  EXPECT_EQ(outcome.share(), 0.5);  // all sentences have equally many letters
  EXPECT_EQ(outcome.features[0].found, 9U);
  EXPECT_EQ(outcome.letters.total, outcome.letters.compared);
}

TEST_F(CheckTest, LayoutChangesNoShare) {
  std::string spread;
  for (const char c : half_) spread += c == ' ' ? std::string(" \n \u200B") : std::string(1, c);
  EXPECT_EQ(check(spread).share(), 0.5);
}

TEST_F(CheckTest, WhatTwoSourcesShareCountsOnce) {
  put("books", "copy", sentences(100, 10));
  const Outcome outcome = check(half_);
  EXPECT_EQ(outcome.sources_total, 2U);
  EXPECT_EQ(outcome.share(), 0.5);
}

TEST_F(CheckTest, SourcesHaveMoreThanTheBound) {
  Policy policy;
  policy.bound = 9;
  EXPECT_EQ(check(half_, policy).sources_total, 0U);
  policy.bound = 8;
  EXPECT_EQ(check(half_, policy).sources_total, 1U);
}

TEST_F(CheckTest, SmallSourcesMayBeLeftOut) {
  Policy policy;
  policy.min_source_share = 0.5;
  EXPECT_EQ(check(half_, policy).sources_total, 1U);
  policy.min_source_share = 0.51;
  EXPECT_EQ(check(half_, policy).share(), 0.0);
}

TEST_F(CheckTest, SourcesAreThoseThatTheFilterAccepts) {
  Policy policy;
  policy.filter = "id != \"source\"";
  EXPECT_EQ(check(half_, policy).share(), 0.0);
  policy.filter = "id = \"source\"";
  EXPECT_EQ(check(half_, policy).sources_total, 1U);
}

TEST_F(CheckTest, ShortPassagesMayBeLeftOutOfTheShare) {
  const std::string text = sentences(100, 2) + sentences(500, 2) + sentences(104, 4) + sentences(600, 4);
  Policy policy;
  EXPECT_EQ(check(text, policy).share(), 0.5);
  policy.min_passage_features = 2;
  const Outcome outcome = check(text, policy);
  EXPECT_NEAR(outcome.share(), 4.0 / 12, 0.001);
  EXPECT_EQ(outcome.sources.at(0).overlap.x, 4U);
}

TEST_F(CheckTest, ListedSourcesAreTheBestAndTheTotalIsTrue) {
  for (const int size : {6, 7, 8}) put("books", "part" + std::to_string(size), sentences(100, size));
  Policy policy;
  policy.max_sources = 2;
  const Outcome outcome = check(half_, policy);
  EXPECT_EQ(outcome.sources_total, 4U);
  ASSERT_EQ(outcome.sources.size(), 2U);
  EXPECT_EQ(outcome.sources[0].document.id, "source");
  EXPECT_EQ(outcome.sources[1].document.id, "part8");
  policy.max_sources = 100;
  EXPECT_EQ(check(half_, policy).share(), outcome.share());
}

TEST_F(CheckTest, ThresholdsAreReachedByAShareAsLarge) {
  Policy policy;
  policy.review_source_share = policy.refuse_source_share = std::nullopt;
  policy.review_share = 0.5;
  policy.refuse_share = 0.51;
  EXPECT_EQ(check(half_, policy).verdict, Verdict::review);
  policy.refuse_share = 0.5;
  EXPECT_EQ(check(half_, policy).verdict, Verdict::refuse);
  policy.review_share = policy.refuse_share = std::nullopt;
  EXPECT_EQ(check(half_, policy).verdict, Verdict::pass);
}

TEST_F(CheckTest, TextThatIsTooShortToBeFoundDoesNotPass) {
  for (const std::string& text : {std::string(), sentences(500, 3)}) {
    const Outcome outcome = check(text);
    EXPECT_EQ(outcome.verdict, Verdict::review);
    EXPECT_EQ(outcome.reasons.at(0).kind, Reason::Kind::too_short);
  }
}

TEST_F(CheckTest, FrequentAlertsOfAKindAreReviewed) {
  const std::string own = sentences(500, 10);
  const std::string disguised = own + " Он т е к с т а с0циолога, п0лдень, ко4евник. Сп\u0301ор.";
  const Outcome outcome = check(disguised);
  EXPECT_EQ(outcome.verdict, Verdict::review);
  ASSERT_EQ(outcome.reasons.size(), 1U);
  const Reason& reason = outcome.reasons[0];
  EXPECT_EQ(reason.kind, Reason::Kind::alerts);
  EXPECT_EQ(reason.verdict, Verdict::review);
  EXPECT_EQ(reason.alert, AlertKind::digit_in_word);
  EXPECT_EQ(reason.alerts, 3U);
  EXPECT_EQ(reason.value, 3000.0 / static_cast<double>(outcome.words));
  EXPECT_EQ(reason.threshold, kDefaultReviewAlerts);
  EXPECT_EQ(outcome.alert_counts.total(), 4U);
}

TEST_F(CheckTest, AlertsReachTheThresholdThatTheyEqual) {
  const std::string text = sentences(500, 10) + " cлово тeкст рaбота.";
  const auto threshold_of = [&](std::optional<double> threshold) {
    Policy policy;
    policy.review_alerts.at(static_cast<std::size_t>(AlertKind::mixed_script)) = threshold;
    return check(text, policy).verdict;
  };
  const double rate = 3000.0 / static_cast<double>(check(text).words);
  EXPECT_EQ(threshold_of(rate), Verdict::review);
  EXPECT_EQ(threshold_of(rate + 0.01), Verdict::pass);
  EXPECT_EQ(threshold_of(std::nullopt), Verdict::pass);
}

TEST_F(CheckTest, TwoAlertsAreNoReason) {
  EXPECT_EQ(check(sentences(500, 10) + " cлово cлово.").verdict, Verdict::pass);
}

TEST_F(CheckTest, AlertsThatAreNotListedCount) {
  std::string text = sentences(500, 10);
  for (std::size_t i = 0; i < kMaxAlerts; ++i) text += " cлово";
  for (std::size_t i = 0; i < kMaxAlerts; ++i) text += " сло\u200bво";
  const Outcome outcome = check(text);
  EXPECT_EQ(outcome.alerts.size(), kMaxAlerts);
  ASSERT_EQ(outcome.reasons.size(), 2U);
  EXPECT_EQ(outcome.reasons[0].alerts, kMaxAlerts);
  EXPECT_EQ(outcome.reasons[1].alerts, kMaxAlerts);
}

TEST_F(CheckTest, AlertsDoNotOutweighARefusal) {
  const Outcome outcome = check(sentences(100, 10) + " cлово тeкст рaбота.");
  EXPECT_EQ(outcome.verdict, Verdict::refuse);
  ASSERT_GE(outcome.reasons.size(), 2U);
  EXPECT_EQ(outcome.reasons.back().kind, Reason::Kind::alerts);
}

// Classes of passages: what is cited as a policy allows is left out of what was found and of the size.

struct CitedClass {
  ExclusionKind kind;
  bool Exclusions::*rule;
  std::string addition;  ///< eight sentences of the document "other"
};
const std::vector<CitedClass> kCitedClasses = {
    {ExclusionKind::referenced_quotation, &Exclusions::referenced_quotations,
     "«" + sentences(900, 8) + "» [3]"},
    {ExclusionKind::unreferenced_quotation, &Exclusions::unreferenced_quotations,
     "«" + sentences(900, 8) + "»"},
    {ExclusionKind::referenced_passage, &Exclusions::referenced_passages, sentences(900, 8) + " [3]"}};

TEST_F(CheckTest, APassageIsLeftOutByItsClassAlone) {
  const Outcome without = check(half_);
  for (const CitedClass& rule : kCitedClasses) {
    Policy policy;
    policy.exclude.*rule.rule = true;
    policy.exclude.max_cited_share = 1;
    for (const CitedClass& used : kCitedClasses) {
      const Outcome outcome = check(half_ + "\n\n" + used.addition, policy);
      const auto number = static_cast<std::size_t>(rule.kind);
      EXPECT_EQ(outcome.exclusions.excluded_by_kind.at(number), rule.kind == used.kind ? 1U : 0U);
      EXPECT_EQ(outcome.sources_total, without.sources_total + (rule.kind == used.kind ? 0U : 1U));
      if (rule.kind != used.kind) continue;
      EXPECT_EQ(outcome.letters.found, without.letters.found);
      EXPECT_LE(outcome.letters.compared - without.letters.compared, 1U) << "the number of the reference";
    }
  }
}

TEST_F(CheckTest, CitedPassagesOverTheirShareCount) {
  const CitedClass& used = kCitedClasses.front();
  const std::string text = half_ + "\n\n" + used.addition;
  Policy policy;
  policy.exclude.*used.rule = true;
  policy.exclude.max_cited_share = 0.01;
  const Outcome outcome = check(text, policy), all = check(text);
  EXPECT_EQ(outcome.exclusions.excluded_total(), 0U);
  EXPECT_EQ(outcome.exclusions.not_excluded_total, 1U);
  EXPECT_EQ(outcome.letters.found, all.letters.found);
}

// Exclusion: an addition that is excluded leaves every share as it is without the addition.

struct Excluded {
  const char* name;
  std::string addition;  ///< eight sentences of the document "other", appended to the text
  ExclusionKind kind;
};

class ExclusionTest : public CheckTest, public ::testing::WithParamInterface<Excluded> {
 protected:
  static Policy policy() {
    Policy policy;
    policy.exclude.quotations = policy.exclude.bibliography = true;
    policy.exclude.templates = {{"", "", sentences(930, 8)}};
    return policy;
  }
  void SetUp() override {
    CheckTest::SetUp();
    put("books", "form", sentences(930, 8));
  }
};

TEST_P(ExclusionTest, LeavesSharesAsWithoutTheAddition) {
  const Outcome without = check(half_, policy(), "petrov");
  const Outcome with = check(half_ + "\n\n" + GetParam().addition, policy(), "petrov");
  EXPECT_EQ(with.share(), without.share());
  EXPECT_EQ(with.letters.compared, without.letters.compared);
  EXPECT_EQ(with.letters.found, without.letters.found);
  EXPECT_EQ(with.sources_total, without.sources_total);
  EXPECT_EQ(with.sources.at(0).overlap.x, without.sources.at(0).overlap.x);
  EXPECT_EQ(with.verdict, without.verdict);
}

TEST_P(ExclusionTest, ChangesTheFeaturesAtItsBordersOnly) {
  const Outcome without = check(half_, policy(), "petrov");
  const Outcome with = check(half_ + "\n\n" + GetParam().addition, policy(), "petrov");
  EXPECT_LE(with.features.at(0).compared, without.features.at(0).compared + 1);
  EXPECT_GE(with.features.at(0).compared + 1, without.features.at(0).compared);
}

TEST_P(ExclusionTest, IsTold) {
  const Outcome with = check(half_ + "\n\n" + GetParam().addition, policy(), "petrov");
  ASSERT_EQ(with.exclusions.excluded.size(), 1U);
  EXPECT_EQ(with.exclusions.excluded[0].kind, GetParam().kind);
  EXPECT_EQ(Letters(GetParam().addition).count(), with.letters.total - with.letters.compared);
}

TEST_P(ExclusionTest, IsFoundWithoutThePolicy) {
  EXPECT_GT(check(half_ + "\n\n" + GetParam().addition, {}, "petrov").sources_total, 1U);
}

TEST(ComparedFeatures, AreThoseOfWhichAtLeastHalfIsNotExcluded) {
  const std::string text = "abcd efgh ijkl";
  FeatureSequence features;
  for (std::uint32_t begin = 0; begin < 15; begin += 5) {
    features.hashes.push_back(Feature{begin});
    features.ranges.push_back({begin, begin + 4});
  }
  const Letters all(text);
  // One, two and three letters of the words.
  const std::vector<TextRange> excluded = {{0, 1}, {5, 7}, {10, 13}};
  const FeatureSequence compared = compared_features(features, all, all.without(excluded));
  ASSERT_THAT(compared.hashes, ::testing::ElementsAre(Feature{0}, Feature{5}));
  EXPECT_EQ(compared.ranges[1].begin, 5U);
}

const Excluded kQuotation{"quotation", "«" + sentences(900, 8) + "»", ExclusionKind::quotation};
const Excluded kBibliography{"bibliography", "Литература\n1. " + sentences(900, 8),
                             ExclusionKind::bibliography};
const Excluded kTemplate{"template", sentences(930, 8), ExclusionKind::template_text};

INSTANTIATE_TEST_SUITE_P(Kinds, ExclusionTest, ::testing::Values(kQuotation, kBibliography, kTemplate),
                         [](const auto& row) { return row.param.name; });

class InnerExclusionTest : public ExclusionTest {};

TEST_P(InnerExclusionTest, LeavesSharesAsWithoutTheAdditionToo) {
  const std::string text = sentences(100, 10) + "\n\n" + GetParam().addition + "\n\n" + sentences(500, 10);
  const Outcome with = check(text, policy(), "petrov");
  EXPECT_EQ(with.share(), 0.5);
  EXPECT_EQ(with.sources_total, 1U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, InnerExclusionTest, ::testing::Values(kQuotation, kTemplate),
                         [](const auto& row) { return row.param.name; });

TEST_F(CheckTest, TextInQuotesAsAWholeIsNotExcluded) {
  Policy policy;
  policy.exclude.quotations = true;
  const Outcome outcome = check("«" + sentences(100, 10) + "»", policy);
  EXPECT_EQ(outcome.verdict, Verdict::refuse);
  EXPECT_EQ(outcome.letters.compared, outcome.letters.total);
  ASSERT_EQ(outcome.exclusions.not_excluded.size(), 1U);
  EXPECT_FALSE(outcome.exclusions.not_excluded[0].too_long);
}

TEST_F(CheckTest, LongQuotationIsNotExcluded) {
  Policy policy;
  policy.exclude.quotations = true;
  policy.exclude.max_quotation_letters = 100;
  const Outcome outcome = check("«" + sentences(100, 5) + "»\n\n" + sentences(500, 20), policy);
  EXPECT_EQ(outcome.letters.compared, outcome.letters.total);
  EXPECT_TRUE(outcome.exclusions.not_excluded.at(0).too_long);
}

TEST_F(CheckTest, OwnDocumentsAreNoSources) {
  put("books", "mine", sentences(100, 10), R"({"owner":"petrov","year":2024})");
  put("books", "namesake", sentences(100, 10), R"({"author":"owner","owner":"petrova"})");
  const Outcome outcome = check(half_, {}, "petrov");
  EXPECT_EQ(outcome.sources_total, 2U);
  EXPECT_EQ(check(half_).sources_total, 3U);
  Policy with_own;
  with_own.exclude.own_earlier = false;
  EXPECT_EQ(check(half_, with_own, "petrov").sources_total, 3U);
  EXPECT_EQ(check(half_, with_own, "petrov").letters.own, 0U);
}

TEST_F(CheckTest, AJointWorkIsEachOwnersOwn) {
  put("books", "joint", sentences(100, 10), R"({"owner":["petrov","sidorova"]})");
  EXPECT_EQ(check(half_, {}, "petrov").sources_total, check(half_, {}, "sidorova").sources_total);
  EXPECT_GT(check(half_, {}, "sidorova").letters.own, 0U);
  EXPECT_EQ(check(half_, {}, "ivanov").letters.own, 0U);
}

TEST_F(CheckTest, StoredDocumentIsNoSourceOfItself) {
  put("books", "copy", sentences(100, 10));
  CheckRequest request;
  request.collections = {"books"};
  request.collection = "books";
  request.id = "copy";
  const Outcome outcome = run_check(*service_.catalog, request).value();
  EXPECT_EQ(*request.text, sentences(100, 10));
  ASSERT_EQ(outcome.sources.size(), 1U);
  EXPECT_EQ(outcome.sources[0].document.id, "source");
}

TEST_F(CheckTest, CollectionsOfSeveralSchemesMakeOneShare) {
  make("lines", "sentences");
  put("lines", "line", sentences(500, 5));
  CheckRequest request;
  request.collections = {"books", "lines"};
  request.text = half_;
  const Outcome outcome = run_check(*service_.catalog, request).value();
  EXPECT_EQ(outcome.features.size(), 2U);
  EXPECT_EQ(outcome.sources_total, 2U);
  EXPECT_EQ(outcome.share(), 0.75);
  EXPECT_EQ(outcome.index.at(1).scheme, "sentences");
}

TEST_F(CheckTest, CollectionsAreNamedOnceAndExist) {
  CheckRequest request;
  request.text = "A.";
  for (const auto& [names, code] : {std::pair{std::vector<std::string>{}, Errc::invalid_argument},
                                    {{"books", "books"}, Errc::invalid_argument},
                                    {std::vector<std::string>(101, "books"), Errc::invalid_argument},
                                    {{"missing"}, Errc::not_found}}) {
    request.collections = names;
    const auto outcome = run_check(*service_.catalog, request);
    ASSERT_TRUE(outcome.has_error());
    EXPECT_EQ(outcome.error().code, code);
    EXPECT_FALSE(outcome.error().remedy.empty());
  }
}

/// Shares counted character by character from the evidence.
TEST_F(CheckTest, SharesAgreeWithTheEvidence) {
  Policy policy;
  policy.bound = 0;
  policy.exclude.quotations = true;
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    std::string text;
    for (int part = 0; part < 12; ++part) {
      const int from = std::array{100, 103, 500, 900}.at(random() % 4) + static_cast<int>(random() % 4);
      const std::string some = sentences(from, 1 + static_cast<int>(random() % 4));
      text += random() % 5 == 0 ? "\"" + some + "\"\n\n" : some;
    }
    const Outcome outcome = check(text, policy);
    std::string compared = text;
    for (const Exclusion& exclusion : outcome.exclusions.excluded) {
      for (auto at = exclusion.range.begin; at < exclusion.range.end; ++at) compared[at] = ' ';
    }
    const auto letters = [](const std::string& s) {
      return static_cast<std::uint64_t>(
          std::ranges::count_if(s, [](unsigned char c) { return std::isalnum(c); }));
    };
    std::string found(text.size(), ' ');
    for (const Source& source : outcome.sources) {
      std::uint64_t features = 0;
      for (const Passage& passage : source.passages) {
        features += passage.features;
        for (auto at = passage.a.begin; at < passage.a.end; ++at) found[at] = compared[at];
      }
      ASSERT_EQ(features, source.overlap.x);
    }
    ASSERT_EQ(outcome.letters.total, letters(text));
    ASSERT_EQ(outcome.letters.compared, letters(compared));
    ASSERT_EQ(outcome.letters.found, letters(found));
    ASSERT_LE(outcome.share(), 1.0);
  }
}

}  // namespace
}  // namespace akin::check
