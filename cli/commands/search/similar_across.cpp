#include "cli/commands/search/similar_across.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "cli/commands/common/evidence.h"
#include "cli/frame/format.h"
#include "cli/frame/workspace.h"
#include "server/api/routes/search.h"
#include "server/api/write/file_object.h"

namespace akin::cli {

namespace {

constexpr std::size_t kShownLetters = 100;

std::string side_line(const api::Json& passage, const char* side, const char* name, std::size_t letters) {
  const api::Json& text = passage.at(std::string(side) + "_text");
  return std::string("      ") + name + "  " + passage.at(side)[0].dump() + "–" + passage.at(side)[1].dump() +
         "  " +
         (text.is_string() ? one_line(text.get_ref<const std::string&>(), letters)
                           : std::string("(not shown)")) +
         "\n";
}

std::uint64_t size_of(const api::Json& passage) {
  return passage.value("words", passage.value("features", std::uint64_t{0}));
}

void print_found(Output& out, std::vector<api::Json> passages, const AcrossRequest& request) {
  std::ranges::stable_sort(passages, std::greater(), [](const api::Json& one) { return size_of(one); });
  const std::size_t shown =
      request.passages == 0 ? passages.size() : std::min(request.passages, passages.size());
  const std::size_t letters = request.whole ? std::numeric_limits<std::size_t>::max() : kShownLetters;
  for (const api::Json& passage : std::span(passages).first(shown)) {
    out << "   passage of " << counted(size_of(passage), passage.contains("words") ? "word" : "feature")
        << "\n"
        << side_line(passage, "a", "query", letters) << side_line(passage, "b", "document", letters);
  }
  if (shown < passages.size())
    out << "   and " << counted(passages.size() - shown, "smaller passage") << " (--passages 0 shows all)\n";
}

void print_answer(const api::Json& answer, const AcrossRequest& request, Output& out) {
  const std::uint64_t features = answer.at("query").at("features").get<std::uint64_t>();
  out << counted(answer.at("query").at("sentences").get<std::uint64_t>(), "sentence") << ", "
      << counted(features, "feature") << "\n";
  for (const auto& [name, total] : answer.at("collections").items())
    out << name << ": " << (total.is_null() ? "not counted" : counted(total.get<std::uint64_t>(), "document"))
        << "\n";
  if (answer.contains("hint")) out << "(" << answer.at("hint").get<std::string>() << ")\n";
  std::uint64_t number = request.question.offset;
  for (const api::Json& result : answer.at("results")) {
    const Overlap overlap{.x = result.at("x").get<std::uint64_t>(),
                          .a_features = features,
                          .b_features = result.at("features").get<std::uint64_t>(),
                          .has_containment = !result.at("containment").is_null()};
    const std::string title = one_line(result.at("title").get<std::string>(), kShownLetters);
    out << "\n"
        << grouped(++number) << ". " << result.at("collection").get<std::string>() << "/"
        << one_line(result.at("id").get<std::string>(), kMaxIdBytes) << (title.empty() ? "" : "  " + title)
        << "\n   " << shares_line(overlap, "the query") << "\n";
    if (result.contains("passages"))
      print_found(out, result.at("passages").get<std::vector<api::Json>>(), request);
  }
}

}  // namespace

Result<bool> search_collections(const AcrossRequest& request, Session& session) {
  AKIN_TRY(const auto catalog, open_catalog(session.options, false));
  api::Collections collections;
  for (const std::string_view name : split(request.collections, ',')) {
    AKIN_TRY(auto collection, with_collections(catalog->get(std::string(name)), *catalog, "--collections"));
    collections.push_back(std::move(collection));
  }
  api::Question question = request.question;
  if (!question.text) question.collection = session.options.collection;
  if (!session.options.json) {
    question.ids_only = false;
    question.passage_text =
        question.evidence != api::Evidence::none &&
        std::ranges::all_of(collections, [](const auto& one) { return one->keeps_texts(); });
  }
  AKIN_TRY(api::Json answer, api::search_across(collections, question));
  if (question.text) api::add_file(answer, "results", request.file);
  if (session.options.json) {
    session.out << answer.dump() << "\n";
  } else {
    print_answer(answer, request, session.out);
  }
  return !answer.at("results").empty();
}

}  // namespace akin::cli
