#include "server/http/decoded_body.h"

#include <algorithm>
#include <new>
#include <span>
#include <string_view>

namespace akin::http {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10U;

}  // namespace

Result<std::string> decode_body(Coding coding, const std::string& encoded, std::size_t limit, Lease& memory) {
  AKIN_TRY(const auto decoder, make_decoder(coding));
  if (!decoder) return encoded;
  std::string decoded;
  std::size_t used = 0;
  std::string_view rest = encoded;
  while (true) {
    if (used == decoded.size()) {
      // One byte more than the limit, to see whether there is one.
      const std::size_t grown = std::min(limit + 1, std::max(kPieceBytes, 2 * decoded.size()));
      if (!memory.take(grown - decoded.size())) {
        return Error{Errc::busy, "server", "the bodies being worked on fill the memory set aside for them",
                     "try again in a moment"};
      }
      try {
        decoded.resize(grown);
      } catch (const std::bad_alloc&) {
        return Error{Errc::busy, "server", "not enough memory for this request", "try again later"};
      }
    }
    AKIN_TRY(const Decoder::Step step,
             decoder->decode(rest, std::span(decoded.data() + used, decoded.size() - used)));
    rest.remove_prefix(step.consumed);
    used += step.produced;
    if (used > limit) {
      return Error{Errc::too_large, "body of the request",
                   "is, decompressed, over the limit of " + std::to_string(limit) + " bytes",
                   "send less, or have the server's body limit raised"};
    }
    if (rest.empty() && decoder->complete()) break;
    if (step.consumed == 0 && step.produced == 0) return truncated_coding();
  }
  decoded.resize(used);
  return decoded;
}

ExchangeSource::ExchangeSource(StreamExchange& exchange, Coding coding, std::uint64_t limit)
    : exchange_(exchange), limit_(limit), decoder_(make_decoder(coding)) {}

Result<std::size_t> ExchangeSource::read(std::span<char> into) {
  if (decoder_.has_error()) return decoder_.error();
  auto bytes = *decoder_ ? read_decoded(into) : exchange_.read(into);
  if (bytes.has_error()) return bytes;
  given_ += *bytes;
  if (given_ > limit_) {
    return Error{Errc::too_large, "body of the request",
                 "is over a stream's limit of " + std::to_string(limit_) + " bytes",
                 "send it in several requests"};
  }
  return bytes;
}

Result<std::size_t> ExchangeSource::read_decoded(std::span<char> into) {
  Decoder& decoder = **decoder_;
  while (!into.empty()) {
    AKIN_TRY(const Decoder::Step step, decoder.decode(std::string_view(encoded_).substr(decoded_), into));
    decoded_ += step.consumed;
    if (step.produced > 0) return step.produced;
    if (ended_) {
      if (!decoder.complete()) return truncated_coding();
      break;
    }
    if (step.consumed > 0 && decoded_ < encoded_.size()) continue;
    encoded_.erase(0, decoded_);
    decoded_ = 0;
    const std::size_t kept = encoded_.size();
    encoded_.resize(kept + kPieceBytes);
    const auto read = exchange_.read(std::span(encoded_.data() + kept, kPieceBytes));
    encoded_.resize(kept + (read.has_value() ? *read : 0));
    if (read.has_error()) return read.error();
    ended_ = *read == 0;
  }
  return std::size_t{0};
}

}  // namespace akin::http
