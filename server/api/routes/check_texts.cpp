#include "server/api/routes/check_texts.h"

#include <optional>
#include <utility>

#include "base/sliced_text.h"
#include "server/api/routes/check_request.h"
#include "server/run/checking.h"
#include "server/run/shown_texts.h"

namespace akin::api {

namespace {

std::string_view slice(const SlicedText& text, const Json& range) {
  return text.slice(json::read_range(range));
}

/// The text of a source as it was compared: what the check keeps of it or, if it keeps nothing, that of the
/// document unless it has changed. Nothing of a restricted one.
std::optional<check::Excerpts> source_text(Catalog& catalog, const state::State* state, const Json& kept,
                                           const Json& source) {
  if (auto excerpts = check::excerpts_of(kept, source))
    return hides_text_of(catalog, state, source) ? std::nullopt : std::move(excerpts);
  auto text = unchanged_text(catalog, state, source);
  return text ? std::optional(check::Excerpts::whole(*text)) : std::nullopt;
}

}  // namespace

Result<desk::SourceText> source_texts(const Service& service, const Json& check, bool shows_documents) {
  if (!shows_documents) return desk::SourceText([](const Json&) { return std::optional<check::Excerpts>(); });
  AKIN_TRY(Json kept, service.checks->excerpts(check.at("id").get_ref<const std::string&>()));
  return desk::SourceText(
      [catalog = service.catalog, state = service.state, kept = std::move(kept)](const Json& source) {
        return source_text(*catalog, state.get(), kept, source);
      });
}

void add_passage_texts(const desk::SourceText& text_of, std::string_view text, Json& check) {
  const SlicedText checked(text);
  for (Json& source : check.at("sources")) {
    const std::optional<check::Excerpts> stored = text_of(source);
    for (Json& passage : source.at("passages")) {
      passage["a_text"] = slice(checked, passage.at("a"));
      const auto b_text = stored ? stored->slice(json::read_range(passage.at("b"))) : std::nullopt;
      passage["b_text"] = b_text ? Json(*b_text) : Json(nullptr);
    }
  }
}

}  // namespace akin::api
