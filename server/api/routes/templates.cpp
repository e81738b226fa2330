#include "server/api/handlers.h"
#include "server/api/write/check_objects.h"
#include "server/check/proposals.h"
#include "server/run/shown_texts.h"

namespace akin::api {

Result<Response> propose_templates(const Call& call) {
  AKIN_CHECK(checks_of(call.service));
  AKIN_TRY(const auto collection, open_collection(call));
  check::ProposalRequest request;
  request.more_than = *call.parameters.integer("more_than");
  request.limit = *call.parameters.integer("limit");
  if (const auto name = call.parameters.text("policy")) {
    AKIN_TRY(const check::Policy policy, call.service.policies->get(*name));
    AKIN_TRY(request.accepted, check::template_texts(*call.service.catalog, policy));
    request.least_words = policy.min_passage_words;
  }
  request.may_show = [&](const DocumentRecord& document) -> Result<bool> {
    AKIN_TRY(const bool is_hidden, hides_text(call.service.state.get(), collection->name(), document));
    return !is_hidden;
  };
  AKIN_TRY(const auto proposals, check::propose_templates(*collection, request));
  return json_response(200, proposals_object(request.more_than, proposals));
}

}  // namespace akin::api
