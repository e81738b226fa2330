// Compresses answers for clients that take that.
#pragma once

#include "server/api/message.h"

namespace akin::http {

/// Compresses JSON of a kilobyte or more by zstd or gzip, if the client accepts one. An answer with an entity
/// tag stays as it is: the tag names its bytes. So do pages, which have secrets beside what a stranger may
/// have written.
void compress(api::Response& response, const api::Request& request);

}  // namespace akin::http
