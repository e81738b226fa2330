// Every way to ask wrongly or to fail, one row each: the status, the code, and the words that say what and
// where.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/server/api/failing_catalog.h"
#include "tests/server/api/service_fixture.h"
#include "tests/support/built.h"

namespace akin::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNothing = "";
const std::string kPlain(kText);
const std::string kJsonType(kJson);

struct RequestRow {
  std::string name;
  std::string method;
  std::string target;
  std::string type;
  std::string body;
  int status;
  std::string code;
  std::vector<std::string> words;  ///< each is in the answer

  friend std::ostream& operator<<(std::ostream& out, const RequestRow& row) {
    return out << row.method << ' ' << row.target;
  }
};

class Refused : public ServiceTest, public ::testing::WithParamInterface<RequestRow> {
 protected:
  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/documents/a", kText, sentences(1, 5));
  }
};

void expect_error(const api::Response& response, int status, std::string_view code) {
  EXPECT_EQ(response.status, status) << response.body;
  ASSERT_TRUE(api::Json::accept(response.body)) << response.body;
  const auto error = api::Json::parse(response.body);
  EXPECT_EQ(error["code"], code);
  for (const char* key : {"detail", "what", "reason", "remedy"}) {
    ASSERT_TRUE(error[key].is_string()) << key;
    EXPECT_FALSE(error[key].get<std::string>().empty()) << key << " in " << response.body;
  }
}

TEST_P(Refused, SayingWhatAndWhere) {
  const RequestRow& row = GetParam();
  const api::Response response = call(row.method, row.target, row.type, row.body);
  expect_error(response, row.status, row.code);
  for (const std::string& word : row.words) EXPECT_THAT(response.body, HasSubstr(word));
}

std::string row_name(const ::testing::TestParamInfo<RequestRow>& row) { return row.param.name; }

const std::string kBooks = "/v1/collections/books";
const std::string kDocument = kBooks + "/documents/a";
const std::string kSimilar = kBooks + "/similar";
const std::string kPairs = kBooks + "/pairs";
const std::string kOver1000(1001, 'x');

// One row a case: clang-format would set one argument a line.
// clang-format off
INSTANTIATE_TEST_SUITE_P(Paths, Refused, ::testing::Values(
        RequestRow{"UnknownPath", "GET", "/v2/x", kNothing, kNothing, 404, "not_found", {"/v2/x"}},
        RequestRow{"Root", "GET", "/", kNothing, kNothing, 404, "not_found", {"'/'"}},
        RequestRow{"TwoSlashesAtTheEnd", "GET", "/v1/collections/books//", kNothing, kNothing, 404, "not_found",
            {"books//"}},
        RequestRow{"PathBehindAnEndpoint", "GET", "/livez/x", kNothing, kNothing, 404, "not_found", {"/livez/x"}},
        RequestRow{"RelativeTarget", "GET", "livez", kNothing, kNothing, 400, "invalid_argument", {"begin with '/'"}},
        RequestRow{"Fragment", "GET", "/livez#x", kNothing, kNothing, 400, "invalid_argument", {"'#'"}},
        RequestRow{"BrokenEscapeInPath", "GET", kBooks + "/documents/%4", kNothing, kNothing, 400, "invalid_argument",
            {"path", "byte 0"}},
        RequestRow{"PathNotUtf8", "GET", kBooks + "/documents/%ff", kNothing, kNothing, 400, "invalid_utf8", {"path"}},
        RequestRow{"CollectionNameWithSlash", "PUT", "/v1/collections/a%2Fb", kNothing, kNothing, 400,
            "invalid_argument", {"'a/b'"}},
        RequestRow{"CollectionNameUpwards", "PUT", "/v1/collections/%2e%2e", kNothing, kNothing, 400,
            "invalid_argument", {"'..'"}},
        RequestRow{"CollectionNameUpwardsRead", "GET", "/v1/collections/../documents", kNothing, kNothing, 400,
            "invalid_argument", {"'..'"}},
        RequestRow{"CollectionNameUpwardsDeleted", "DELETE", "/v1/collections/%2e%2e%2fx", kNothing, kNothing, 400,
            "invalid_argument", {"'../x'"}},
        RequestRow{"CollectionNameEmpty", "GET", "/v1/collections//documents", kNothing, kNothing, 404, "not_found",
            {"collections//documents"}},
        RequestRow{"CollectionNameLong", "PUT", "/v1/collections/" + std::string(65, 'a'), kNothing, kNothing, 400,
            "invalid_argument", {"1 to 64"}},
        RequestRow{"CollectionNameWithNul", "PUT", "/v1/collections/a%00b", kNothing, kNothing, 400, "invalid_argument",
            {"collection"}}),
    row_name);

INSTANTIATE_TEST_SUITE_P(PairsAndTasks, Refused, ::testing::Values(
        RequestRow{"PairsWithoutACondition", "POST", kPairs, kJsonType, R"({"tier":"pairs"})", 400, "invalid_argument",
            {"'bound', 'min_containment' and 'min_resemblance'", "at least one"}},
        RequestRow{"PairsWithABodyOfText", "POST", kPairs, kPlain, "bound=1", 415, "type_unsupported", {"content type"}},
        RequestRow{"PairsWithAnUnknownField", "POST", kPairs, kJsonType, R"({"limit":1})", 400, "invalid_argument",
            {"'limit'", "'memory'"}},
        RequestRow{"PairsWithANegativeBound", "POST", kPairs, kJsonType, R"({"bound":-1})", 400, "invalid_argument",
            {"'bound'", "'-1'", "from 0 to 4294967295"}},
        RequestRow{"PairsWithABoundOverRange", "POST", kPairs, kJsonType, R"({"bound":4294967296})", 400,
            "invalid_argument", {"'bound'"}},
        RequestRow{"PairsWithAFractionForABound", "POST", kPairs, kJsonType, R"({"bound":1.5})", 400, "invalid_argument",
            {"'1.5'"}},
        RequestRow{"PairsWithATextForABound", "POST", kPairs, kJsonType, R"({"bound":"3"})", 400, "invalid_argument",
            {"'bound'"}},
        RequestRow{"PairsWithAShareOver1", "POST", kPairs, kJsonType, R"({"min_resemblance":1.01})", 400,
            "invalid_argument", {"'min_resemblance'", "from 0 to 1"}},
        RequestRow{"PairsWithATextForAShare", "POST", kPairs, kJsonType, R"({"min_containment":"1"})", 400,
            "invalid_argument", {"'min_containment'"}},
        RequestRow{"PairsWithLittleMemory", "POST", kPairs, kJsonType, R"({"bound":1,"memory":"1K"})", 400,
            "invalid_argument", {"memory", "1M to 1T"}},
        RequestRow{"PairsWithTooMuchMemory", "POST", kPairs, kJsonType, R"({"bound":1,"memory":"17G"})", 400,
            "invalid_argument", {"'memory'", "16G"}},
        RequestRow{"PairsOfNoCollection", "POST", "/v1/collections/none/pairs", kJsonType, R"({"bound":1})", 404,
            "not_found", {"none"}},
        RequestRow{"TaskUnknown", "GET", "/v1/tasks/task-0", kNothing, kNothing, 404, "not_found", {"'task-0'"}},
        RequestRow{"DeletedTaskUnknown", "DELETE", "/v1/tasks/task-0", kNothing, kNothing, 404, "not_found",
            {"'task-0'"}},
        RequestRow{"ResultOfAnUnknownTask", "GET", "/v1/tasks/task-0/result", kNothing, kNothing, 404, "not_found",
            {"'task-0'"}},
        RequestRow{"ResultLimitOverRange", "GET", "/v1/tasks/task-0/result?limit=10001", kNothing, kNothing, 400,
            "invalid_argument", {"'limit'", "10000"}}),
    row_name);

INSTANTIATE_TEST_SUITE_P(Parameters, Refused, ::testing::Values(
        RequestRow{"Unknown", "POST", kSimilar + "?buond=3", kPlain, "x", 400, "invalid_argument", {"'buond'",
            "'bound', 'min_containment'", "'file_name' and 'encoding'"}},
        RequestRow{"NoOrder", "POST", kSimilar + "?sort=nonsense", kPlain, "x", 400, "invalid_argument", {"'sort'",
            "'nonsense'", "'containment'"}},
        RequestRow{"UnknownWhereNoneAreKnown", "GET", "/livez?x=1", kNothing, kNothing, 400, "invalid_argument", {"'x'",
            "none"}},
        RequestRow{"Doubled", "POST", kSimilar + "?bound=3&bound=4", kPlain, "x", 400, "invalid_argument", {"'bound'",
            "more than once"}},
        RequestRow{"NotANumber", "POST", kSimilar + "?bound=three", kPlain, "x", 400, "invalid_argument", {"'bound'",
            "'three'", "from 0 to 4294967295"}},
        RequestRow{"EmptyNumber", "POST", kSimilar + "?bound=", kPlain, "x", 400, "invalid_argument", {"'bound'", "''"}},
        RequestRow{"NegativeNumber", "POST", kSimilar + "?bound=-1", kPlain, "x", 400, "invalid_argument", {"'-1'"}},
        RequestRow{"FractionForAnInteger", "POST", kSimilar + "?bound=1.5", kPlain, "x", 400, "invalid_argument",
            {"'1.5'"}},
        RequestRow{"PlusSign", "POST", kSimilar + "?bound=%2B1", kPlain, "x", 400, "invalid_argument", {"'+1'"}},
        RequestRow{"Hexadecimal", "POST", kSimilar + "?bound=0x1", kPlain, "x", 400, "invalid_argument", {"'0x1'"}},
        RequestRow{"BlankBefore", "POST", kSimilar + "?bound=+1", kPlain, "x", 400, "invalid_argument", {"' 1'"}},
        RequestRow{"Over64Bits", "POST", kSimilar + "?bound=99999999999999999999", kPlain, "x", 400, "invalid_argument",
            {"'bound'"}},
        RequestRow{"BoundOverRange", "POST", kSimilar + "?bound=4294967296", kPlain, "x", 400, "invalid_argument",
            {"'bound'"}},
        RequestRow{"LimitOverRange", "POST", kSimilar + "?limit=1001", kPlain, "x", 400, "invalid_argument", {"'limit'",
            "from 0 to 1000"}},
        RequestRow{"OffsetOverRange", "POST", kSimilar + "?cursor=after:4294967296", kPlain, "x", 400,
            "invalid_argument", {"'cursor'"}},
        RequestRow{"ShareOver1", "POST", kSimilar + "?min_containment=1.01", kPlain, "x", 400, "invalid_argument",
            {"'min_containment'", "from 0 to 1"}},
        RequestRow{"ShareUnder0", "POST", kSimilar + "?min_containment=-0.1", kPlain, "x", 400, "invalid_argument",
            {"'min_containment'"}},
        RequestRow{"ShareNan", "POST", kSimilar + "?min_containment=nan", kPlain, "x", 400, "invalid_argument",
            {"'nan'"}},
        RequestRow{"ShareInfinite", "POST", kSimilar + "?min_containment=inf", kPlain, "x", 400, "invalid_argument",
            {"'inf'"}},
        RequestRow{"SharePercent", "POST", kSimilar + "?min_containment=50%25", kPlain, "x", 400, "invalid_argument",
            {"'50%'"}},
        RequestRow{"WordOfAListUnknown", "POST", kSimilar + "?include=passages,yes", kPlain, "x", 400, "invalid_argument",
            {"'include'", "'passages,yes' is not some of 'ids', "}},
        RequestRow{"ListLimitZero", "GET", kBooks + "/documents?limit=0", kNothing, kNothing, 400, "invalid_argument",
            {"'limit'", "from 1 to 1000"}},
        RequestRow{"LongValueIsShortened", "POST", kSimilar + "?bound=" + kOver1000, kPlain, "x", 400,
            "invalid_argument", {"xxx…'"}},
        RequestRow{"NoCursorOfCollections", "GET", "/v1/collections?cursor=nonsense", kNothing, kNothing, 400,
            "invalid_argument", {"'cursor'", "'nonsense' is not a cursor"}},
        RequestRow{"NoCursorOfDocuments", "GET", kBooks + "/documents?cursor=nonsense", kNothing, kNothing, 400,
            "invalid_argument", {"'cursor'", "'nonsense' is not a cursor"}},
        RequestRow{"NoCursorOfChecks", "GET", "/v1/checks?cursor=nonsense", kNothing, kNothing, 400,
            "invalid_argument", {"'cursor'", "'nonsense' is not a cursor"}},
        RequestRow{"NoCursorOfTasks", "GET", "/v1/tasks?cursor=nonsense", kNothing, kNothing, 400, "invalid_argument",
            {"'cursor'", "'nonsense' is not a cursor"}},
        RequestRow{"NoCursorOfEvents", "GET", kBooks + "/events?cursor=nonsense", kNothing, kNothing, 400,
            "invalid_argument", {"'cursor'", "'nonsense' is not a cursor"}},
        RequestRow{"NoCursorOfKeys", "GET", "/v1/keys?cursor=nonsense", kNothing, kNothing, 400, "invalid_argument",
            {"'cursor'", "'nonsense' is not a cursor"}},
        RequestRow{"BrokenEscape", "GET", kBooks + "/documents?cursor=%x", kNothing, kNothing, 400, "invalid_argument",
            {"'cursor'", "byte 0"}},
        RequestRow{"NotUtf8", "PUT", kDocument + "?title=%ff", kPlain, "x", 400, "invalid_utf8", {"'title'"}}),
    row_name);

INSTANTIATE_TEST_SUITE_P(Bodies, Refused, ::testing::Values(
        RequestRow{"TextNotUtf8", "PUT", kDocument, kPlain, "ab\n\xff", 400, "invalid_utf8", {"byte 3", "line 2"}},
        RequestRow{"QueryNotUtf8", "POST", kSimilar, kPlain, "\xc3(", 400, "invalid_utf8", {"byte 0"}},
        RequestRow{"JsonNotUtf8", "PUT", kDocument, kJsonType, "{\"text\":\"\xff\"}", 400, "invalid_utf8", {"byte 9"}},
        RequestRow{"BrokenJson", "PUT", kDocument, kJsonType, "{\"text\":\n oops}", 400, "invalid_json",
            {"line 2, column 2"}},
        RequestRow{"EmptyJson", "POST", "/v1/compare", kJsonType, kNothing, 400, "invalid_json", {"line 1, column 1"}},
        RequestRow{"DoubledKey", "PUT", kDocument, kJsonType, R"({"text":"a","text":"b"})", 400, "invalid_json",
            {"'text' is given twice", "line 1, column 19"}},
        RequestRow{"DoubledKeyInMetadata", "PUT", kDocument, kJsonType, R"({"text":"a","metadata":{"k":1,"k":1}})", 400,
            "invalid_json", {"'k' is given twice"}},
        RequestRow{"LoneSurrogate", "PUT", kDocument, kJsonType, R"({"text":"\ud800"})", 400, "invalid_json",
            {"surrogate"}},
        RequestRow{"TooDeep", "PUT", kDocument, kJsonType, std::string(100000, '['), 400, "invalid_json",
            {"more than 64"}},
        RequestRow{"JsonArray", "PUT", kDocument, kJsonType, "[]", 400, "invalid_argument", {"array", "'text'"}},
        RequestRow{"UnknownField", "PUT", kDocument, kJsonType, R"({"text":"a","titel":"b"})", 400, "invalid_argument",
            {"'titel'", "'text', 'title' and 'metadata'"}},
        RequestRow{"MissingText", "PUT", kDocument, kJsonType, R"({"title":"b"})", 400, "invalid_argument", {"'text'",
            "missing"}},
        RequestRow{"TextOfWrongType", "PUT", kDocument, kJsonType, R"({"text":1})", 400, "invalid_argument", {"'text'",
            "number", "string"}},
        RequestRow{"TextNull", "PUT", kDocument, kJsonType, R"({"text":null})", 400, "invalid_argument", {"'text'",
            "null"}},
        RequestRow{"TitleOfWrongType", "PUT", kDocument, kJsonType, R"({"text":"a","title":[]})", 400,
            "invalid_argument", {"'title'", "array"}},
        RequestRow{"MetadataNotAnObject", "PUT", kDocument, kJsonType, R"({"text":"a","metadata":"k"})", 400,
            "invalid_argument", {"'metadata'", "object"}},
        RequestRow{"TitleTwice", "PUT", kDocument + "?title=x", kJsonType, R"({"text":"a","title":"y"})", 400, "invalid_argument",
            {"'title'"}},
        RequestRow{"TitleTooLong", "PUT", kDocument, kJsonType,
            R"({"text":"a","title":")" + std::string(4097, 't') + "\"}", 413, "too_large", {"title", "4096"}},
        RequestRow{"MetadataTooLarge", "PUT", kDocument, kJsonType,
            R"({"text":"a","metadata":{"k":")" + std::string(65536, 'm') + "\"}}", 413, "too_large",
            {"'metadata'", "65536"}},
        RequestRow{"LongId", "PUT", kBooks + "/documents/" + std::string(501, 'i'), kPlain, "x", 400,
            "invalid_argument", {"500"}},
        RequestRow{"IdWithControlCharacter", "PUT", kBooks + "/documents/a%00b", kPlain, "x", 400, "invalid_argument",
            {"control character"}},
        RequestRow{"SimilarWithoutTextOrId", "POST", kSimilar, kJsonType, "{}", 400, "invalid_argument",
            {"neither 'text' nor 'id'"}},
        RequestRow{"SimilarWithTextAndId", "POST", kSimilar, kJsonType, R"({"text":"a","id":"a"})", 400,
            "invalid_argument", {"both 'text' and 'id'"}},
        RequestRow{"CompareWithoutB", "POST", "/v1/compare", kJsonType, R"({"a":"x"})", 400, "invalid_argument", {"'b'"}},
        RequestRow{"CompareWithNumber", "POST", "/v1/compare", kJsonType, R"({"a":"x","b":2})", 400, "invalid_argument",
            {"'b'", "number"}},
        RequestRow{"CompareUnknownScheme", "POST", "/v1/compare", kJsonType, R"({"a":"x","b":"x","scheme":"soundex"})",
            400, "invalid_argument", {"soundex", "sentence-pairs"}},
        RequestRow{"CollectionUnknownScheme", "PUT", "/v1/collections/new", kJsonType, R"({"scheme":"soundex"})", 400,
            "invalid_argument", {"soundex", "sentence-pairs"}},
        RequestRow{"CollectionUnknownField", "PUT", "/v1/collections/new", kJsonType, R"({"sheme":"sentences"})", 400,
            "invalid_argument", {"'sheme'", "'scheme'"}}),
    row_name);

INSTANTIATE_TEST_SUITE_P(ContentTypes, Refused, ::testing::Values(
        RequestRow{"Missing", "PUT", kDocument, kNothing, "x", 415, "type_unsupported", {"missing", "text/plain"}},
        RequestRow{"TextSentAsAForm", "POST", kSimilar, "application/x-www-form-urlencoded", "x", 415, "type_unsupported",
            {"application/x-www-form-urlencoded", "text/plain"}},
        RequestRow{"JsonSentAsAForm", "POST", kSimilar, "application/x-www-form-urlencoded", "{\"text\":1}", 400,
            "invalid_argument", {"'text'"}},
        RequestRow{"FormWhereNoneIsTaken", "POST", "/v1/compare", "application/x-www-form-urlencoded", "a=x&b=y", 415,
            "type_unsupported", {"application/x-www-form-urlencoded", "application/json"}},
        RequestRow{"OtherCharset", "PUT", kDocument, "text/plain; charset=klingon", "x", 415, "type_unsupported",
            {"klingon"}},
        RequestRow{"CharsetToBeFound", "PUT", kDocument, "text/plain; charset=auto", "x", 415, "type_unsupported", {"auto"}},
        RequestRow{"JsonInAnotherCharset", "PUT", kDocument, "application/json; charset=windows-1251", "{}", 415,
            "type_unsupported", {"windows-1251"}},
        RequestRow{"NotUtf8", "PUT", kDocument, "text/\xff", "x", 415, "type_unsupported", {"content type"}},
        RequestRow{"PlainTextWhereJsonIsNeeded", "POST", "/v1/compare", kPlain, "x", 415, "type_unsupported", {"JSON"}},
        RequestRow{"PlainTextForACollection", "PUT", "/v1/collections/new", kPlain, "sentences", 415, "type_unsupported",
            {"JSON"}}),
    row_name);

INSTANTIATE_TEST_SUITE_P(Things, Refused, ::testing::Values(
        RequestRow{"NoCollection", "GET", "/v1/collections/none", kNothing, kNothing, 404, "not_found", {"'none'"}},
        RequestRow{"NoCollectionToDelete", "DELETE", "/v1/collections/none", kNothing, kNothing, 404, "not_found",
            {"'none'"}},
        RequestRow{"NoCollectionForDocument", "PUT", "/v1/collections/none/documents/a", kPlain, "x", 404, "not_found",
            {"'none'"}},
        RequestRow{"NoCollectionToList", "GET", "/v1/collections/none/documents", kNothing, kNothing, 404, "not_found",
            {"'none'"}},
        RequestRow{"NoCollectionToSearch", "POST", "/v1/collections/none/similar", kPlain, "x", 404, "not_found",
            {"'none'"}},
        RequestRow{"NoDocument", "GET", kBooks + "/documents/b", kNothing, kNothing, 404, "not_found", {"'b'",
            "'books'"}},
        RequestRow{"NoDocumentWithLongId", "GET", kBooks + "/documents/" + kOver1000, kNothing, kNothing, 404, "not_found",
            {"xxx…'"}},
        RequestRow{"NoDocumentWithLongIdToDelete", "DELETE", kBooks + "/documents/" + kOver1000, kNothing, kNothing, 404,
            "not_found", {"xxx…'"}},
        RequestRow{"NoDocumentWithLongIdToCompareWith", "POST", kSimilar, kJsonType, R"({"id":")" + kOver1000 + "\"}", 404,
            "not_found", {"xxx…'"}},
        RequestRow{"NoDocumentToDelete", "DELETE", kBooks + "/documents/b", kNothing, kNothing, 404, "not_found",
            {"'b'"}},
        RequestRow{"NoDocumentToCompareWith", "POST", kSimilar, kJsonType, R"({"id":"b"})", 404, "not_found", {"'b'"}},
        RequestRow{"CollectionWithOtherScheme", "PUT", kBooks, kJsonType, R"({"scheme":"sentences"})", 409,
            "already_exists", {"'tiers(pairs=sentence-pairs", "'sentences'"}}),
    row_name);

// clang-format on

struct AllowRow {
  std::string method;
  std::string target;
  std::string allow;

  friend std::ostream& operator<<(std::ostream& out, const AllowRow& row) {
    return out << row.method << ' ' << row.target;
  }
};

class MethodNotAllowed : public ServiceTest, public ::testing::WithParamInterface<AllowRow> {};

TEST_P(MethodNotAllowed, NamesThoseThatAre) {
  const api::Response response = call(GetParam().method, GetParam().target);
  expect_error(response, 405, "method_not_allowed");
  const auto allow =
      std::ranges::find(response.headers, "Allow", &std::pair<std::string, std::string>::first);
  ASSERT_NE(allow, response.headers.end());
  EXPECT_EQ(allow->second, GetParam().allow);
}

INSTANTIATE_TEST_SUITE_P(
    All, MethodNotAllowed,
    ::testing::Values(AllowRow{"POST", "/livez", "GET, HEAD"},
                      AllowRow{"OPTIONS", "/v1/collections", "GET, HEAD"},
                      AllowRow{"PATCH", "/v1/collections/x", "GET, HEAD, PUT, DELETE"},
                      AllowRow{"PUT", "/v1/collections/x/documents", "GET, HEAD, POST"},
                      AllowRow{"PUT", "/v1/collections/", "GET, HEAD"},
                      AllowRow{"DELETE", "/v1/collections/x/documents/", "GET, HEAD, POST"},
                      AllowRow{"POST", "/v1/collections/x/documents/a", "GET, HEAD, PUT, PATCH, DELETE"},
                      AllowRow{"GET", "/v1/collections/x/similar", "POST"},
                      AllowRow{"HEAD", "/v1/compare", "POST"}, AllowRow{"BREW", "/v1/compare", "POST"}));

struct StoreRow {
  Errc failure;
  int status;
};

class StoreFailure : public ::testing::TestWithParam<StoreRow> {};

TEST_P(StoreFailure, ReachesTheClientUnderItsStatus) {
  const auto [failure, status] = GetParam();
  const Error error{failure, "store of 'broken'", "failed as the test wants", "try another"};
  const api::Service service{.catalog = failing_catalog(empty_dictionary(), error),
                             .dictionaries = std::make_shared<Dictionaries>(empty_dictionary(), "none")};
  const std::string base = "/v1/collections/broken";
  for (const auto& [method, target] :
       std::vector<std::pair<std::string, std::string>>{{"GET", base},
                                                        {"GET", base + "/documents"},
                                                        {"GET", base + "/documents/a"},
                                                        {"PUT", base + "/documents/a"},
                                                        {"DELETE", base + "/documents/a"},
                                                        {"POST", base + "/similar"},
                                                        {"DELETE", base},
                                                        {"GET", "/v1/collections"}}) {
    SCOPED_TRACE(method + " " + target);
    const auto response = api::handle(
        service, {.method = method, .target = target, .content_type = kPlain, .body = "One two."});
    expect_error(response, status, error_name(failure));
    const bool told_when =
        std::ranges::any_of(response.headers, [](const auto& h) { return h.first == "Retry-After"; });
    EXPECT_EQ(told_when, status == 503);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StoreFailure,
                         ::testing::Values(StoreRow{Errc::mismatch, 409}, StoreRow{Errc::busy, 503},
                                           StoreRow{Errc::quarantined, 503}, StoreRow{Errc::disk_full, 507},
                                           StoreRow{Errc::corrupt, 500}, StoreRow{Errc::io, 500},
                                           StoreRow{Errc::internal, 500}));

TEST(Readiness, IsRefusedWhileTheCatalogCannotBeRead) {
  const Error error{Errc::io, "data folder", "cannot be read", "check it"};
  const api::Service service{.catalog = failing_catalog(empty_dictionary(), error),
                             .dictionaries = std::make_shared<Dictionaries>(empty_dictionary(), "none")};
  EXPECT_EQ(
      api::handle(service, {.method = "GET", .target = "/readyz", .content_type = "", .body = ""}).status,
      503);
  EXPECT_EQ(
      api::handle(service, {.method = "GET", .target = "/livez", .content_type = "", .body = ""}).status,
      200);
}

TEST(ProblemKinds, BeginWithThoseOfErrors) {
  for (auto code = static_cast<int>(Errc::invalid_argument); code <= static_cast<int>(Errc::internal); ++code)
    EXPECT_EQ(api::problem_kinds()[static_cast<std::size_t>(code)].code, error_name(static_cast<Errc>(code)));
}

/// A code has one meaning, so it has one status and one row of the page.
TEST(ProblemKinds, HaveOneRowEachOnThePage) {
  std::ifstream file(test::source_folder() / "docs/errors.md");
  std::map<std::string, int> rows;
  for (std::string line; std::getline(file, line);) {
    const auto code = line.find("| `"), status = line.find("` | ");
    if (code != 0 || status == std::string::npos) continue;
    EXPECT_TRUE(rows.emplace(line.substr(3, status - 3), std::stoi(line.substr(status + 4))).second) << line;
  }
  std::map<std::string, int> kinds;
  for (const api::ProblemKind& kind : api::problem_kinds()) {
    EXPECT_TRUE(kinds.emplace(kind.code, kind.status).second) << kind.code;
  }
  EXPECT_EQ(rows, kinds);
}

class DescribedProblems : public ServiceTest {};

TEST_F(DescribedProblems, HaveTheStatusOfTheirCode) {
  const auto description = api::Json::parse(call("GET", "/openapi.json").body);
  std::map<std::string, int> described, kinds;
  for (const auto& [name, response] : description["components"]["responses"].items()) {
    if (!name.starts_with("Problem")) continue;
    const auto& told = response["content"]["application/problem+json"]["schema"]["properties"];
    for (const api::Json& code : told["code"]["enum"]) {
      const int status = told["status"]["const"].get<int>();
      EXPECT_TRUE(described.emplace(code.get<std::string>(), status).second) << code;
    }
  }
  for (const api::ProblemKind& kind : api::problem_kinds()) kinds.emplace(kind.code, kind.status);
  EXPECT_EQ(described, kinds);
}

}  // namespace
}  // namespace akin::test
