#include "server/http/decoded_body.h"

#include <algorithm>
#include <new>
#include <span>
#include <string_view>

namespace akin::http {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10U;

}  // namespace

Result<std::string> decode_body(ingest::Coding coding, const std::string& encoded, std::size_t limit,
                                const std::function<bool(std::size_t)>& take) {
  AKIN_TRY(const auto decoder, ingest::make_decoder(coding));
  if (!decoder) return encoded;
  std::string decoded;
  std::size_t used = 0;
  std::string_view rest = encoded;
  while (true) {
    if (used == decoded.size()) {
      // One byte more than the limit, to detect a body that exceeds it.
      const std::size_t grown = std::min(limit + 1, std::max(kPieceBytes, 2 * decoded.size()));
      if (!take(grown - decoded.size())) {
        return Error{Errc::busy, "server", "the bodies being processed fill the memory reserved for them",
                     "try again in a moment"};
      }
      try {
        decoded.resize(grown);
      } catch (const std::bad_alloc&) {
        return Error{Errc::busy, "server", "not enough memory for this request", "try again later"};
      }
    }
    AKIN_TRY(const ingest::Decoder::Step step,
             decoder->decode(rest, std::span(decoded.data() + used, decoded.size() - used)));
    rest.remove_prefix(step.consumed);
    used += step.produced;
    if (used > limit) {
      return Error{Errc::too_large, "body of the request",
                   "exceeds, decompressed, the limit of " + std::to_string(limit) + " bytes",
                   "send less, or have the server's body limit raised"};
    }
    if (rest.empty() && decoder->complete()) break;
    if (step.consumed == 0 && step.produced == 0) return ingest::truncated_coding();
  }
  decoded.resize(used);
  return decoded;
}

}  // namespace akin::http
