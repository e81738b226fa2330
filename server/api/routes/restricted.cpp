// Texts that are matched and counted, and not shown.
#include <string>

#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/run/shown_texts.h"

namespace akin::api {

Result<void> require_shown(const Call& call, std::string_view collection, const DocumentRecord& document) {
  AKIN_TRY(const bool hidden, hides_text(call.service.state.get(), collection, document));
  if (!hidden) return {};
  if (call.request.grant == nullptr || !may(call, access::Scope::admin))
    return restricted_text(collection, document.id);
  return record(call, "document.read", std::string(collection) + "/" + document.id);
}

Result<void> require_shown(const Service& service, const Json& check) {
  const Json& query = check.at("query");
  if (!query.contains("id") || !hides_text_of(*service.catalog, service.state.get(), query)) return {};
  return restricted_text(query.at("collection").get_ref<const std::string&>(),
                         query.at("id").get_ref<const std::string&>());
}

}  // namespace akin::api
