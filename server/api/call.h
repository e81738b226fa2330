// A matched request, as a handler receives it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/api/message.h"
#include "server/api/parameters.h"
#include "server/api/service.h"
#include "server/api/stream.h"

namespace akin::api {

struct Form;  // form.h

/// A handler receives the parameters read as its operation declares them.
struct Call {
  const Service& service;
  const Request& request;
  std::vector<std::string> captures;  ///< the path's variable parts, decoded, in order
  Parameters parameters;
  /// Of the form of a page, which is read once; null for all other requests.
  std::shared_ptr<Result<Form>> form = {};
};

/// An answer, or the error that becomes one.
using Handler = Result<Response> (*)(const Call& call);

/// Writes the answer while it reads the body, and returns nothing; or returns the answer if it has not called
/// begin(). An error after begin() cuts the answer off, so that the client can see that it is incomplete.
using StreamHandler = Result<std::optional<Response>> (*)(const Call& call, BodySource& body,
                                                          AnswerSink& sink);

}  // namespace akin::api
