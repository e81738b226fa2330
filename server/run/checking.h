// How a check that was asked for is made, within its request or later.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/api/message.h"
#include "server/api/read/body.h"
#include "server/api/service.h"
#include "server/check/checks.h"
#include "server/check/excerpts.h"
#include "server/check/run.h"

namespace akin::api {

/// A requested check: everything but the bytes to read.
struct AskedCheck {
  check::CheckRequest request;  ///< has the text of a JSON body; that of another body is still to be read
  std::string title;
  Json metadata;                      ///< an object
  Json key;                           ///< holder of the access key, or null
  std::optional<BodyType> file = {};  ///< set: the body is a file of this type
  std::string file_name = {};         ///< of that file; may be empty
  bool is_brief = false;              ///< refuse a file whose text is to be recognized: busy
  [[nodiscard]] bool reads_body() const { return !request.text && request.id.empty(); }
};

/// What is stored of it until it is made, and back. Errors: as check::parse_policy.
[[nodiscard]] Json encode_asked(const AskedCheck& asked);
[[nodiscard]] Result<AskedCheck> decode_asked(const Json& object);

/// Receives "extracting" and "comparing", when each begins.
using PhaseSink = std::function<void(std::string_view phase)>;

/// Reads the file, runs the check, and cuts the excerpts of its sources; stores nothing. `body`: the request,
/// or one with its content type, body and client, which the result's file is a view of. Errors: those of
/// reading files and of run_check.
[[nodiscard]] Result<check::NewCheck> make_check(const Service& service, AskedCheck asked,
                                                 const Request& body, const PhaseSink& phase);

/// The request from which a stored check was made.
[[nodiscard]] Result<check::CheckRequest> request_of(const Json& check, std::string text);

/// The outcome of a request over the collections as they are.
[[nodiscard]] Result<Json> outcome_of(Catalog& catalog, check::CheckRequest& request);

/// What is kept of the sources of a check, as check::excerpts_of reads it. Nothing of those whose text is
/// restricted.
[[nodiscard]] Json kept_excerpts(const state::State* state, const std::vector<check::Source>& sources);

/// Whether the document of a source is stored as it was when it was compared.
[[nodiscard]] bool is_unchanged(Catalog& catalog, const Json& source);
/// The text of a source, if the document has not changed since the check, and may be shown.
[[nodiscard]] std::optional<std::string> unchanged_text(Catalog& catalog, const state::State* state,
                                                        const Json& source);

}  // namespace akin::api
