#include "server/run/shown_texts.h"

#include "server/access/restrictions.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

using json::Json;

Result<bool> is_hidden(Catalog& catalog, const state::State* state, const Json& source) {
  const auto& name = source.at("collection").get_ref<const std::string&>();
  AKIN_TRY(const bool restricted, access::is_restricted(state, name));
  if (restricted) return true;
  const auto collection = catalog.get(name);
  if (collection.has_error() && collection.error().code == Errc::not_found) return false;
  AKIN_CHECK(collection);
  AKIN_TRY(const auto snapshot, (*collection)->snapshot());
  AKIN_TRY(const auto record, snapshot->find(source.at("id").get_ref<const std::string&>()));
  return record && access::says_restricted(record->metadata);
}

}  // namespace

Result<bool> hides_text(const state::State* state, std::string_view collection,
                        const DocumentRecord& document) {
  if (access::says_restricted(document.metadata)) return true;
  return access::is_restricted(state, collection);
}

Error restricted_text(std::string_view collection, std::string_view id) {
  return Error{Errc::forbidden,
               "document " + json::in_quotes(id) + " in collection " + json::in_quotes(collection),
               "its text is restricted: it is matched and counted, and not shown",
               "leave the text out, or use an access key of scope admin"};
}

bool hides_text_of(Catalog& catalog, const state::State* state, const Json& source) {
  const auto hidden = is_hidden(catalog, state, source);
  return hidden.has_error() || *hidden;
}

}  // namespace akin::api
