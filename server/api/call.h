// One matched request on its way into a handler.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "server/api/message.h"
#include "server/api/service.h"
#include "server/api/target.h"

namespace akin::api {

/// Views live through the call.
struct Call {
  const Service& service;
  const Request& request;
  std::vector<std::string> captures;  ///< the path's variable parts, decoded, in order
  std::span<const Parameter> query;
};

/// An answer, or the error that becomes one.
using Handler = Result<Response> (*)(const Call& call);

}  // namespace akin::api
