#include "server/http/stream_source.h"

#include <string_view>

namespace akin::http {

namespace {

constexpr std::size_t kSourcePieceBytes = std::size_t{64} << 10U;

}  // namespace

ExchangeSource::ExchangeSource(StreamExchange& exchange, ingest::Coding coding, std::uint64_t limit)
    : exchange_(exchange), limit_(limit), decoder_(ingest::make_decoder(coding)) {}

Result<std::size_t> ExchangeSource::read(std::span<char> into) {
  if (decoder_.has_error()) return decoder_.error();
  auto bytes = *decoder_ ? read_decoded(into) : exchange_.read(into);
  if (bytes.has_error()) return bytes;
  given_ += *bytes;
  if (given_ > limit_) {
    return Error{Errc::too_large, "body of the request",
                 "exceeds a stream's limit of " + std::to_string(limit_) + " bytes",
                 "send it in several requests"};
  }
  return bytes;
}

Result<std::size_t> ExchangeSource::read_decoded(std::span<char> into) {
  ingest::Decoder& decoder = **decoder_;
  while (!into.empty()) {
    AKIN_TRY(const ingest::Decoder::Step step,
             decoder.decode(std::string_view(encoded_).substr(decoded_), into));
    decoded_ += step.consumed;
    if (step.produced > 0) return step.produced;
    if (ended_) {
      if (!decoder.complete()) return ingest::truncated_coding();
      break;
    }
    if (step.consumed > 0 && decoded_ < encoded_.size()) continue;
    encoded_.erase(0, decoded_);
    decoded_ = 0;
    const std::size_t kept = encoded_.size();
    encoded_.resize(kept + kSourcePieceBytes);
    const auto read = exchange_.read(std::span(encoded_.data() + kept, kSourcePieceBytes));
    encoded_.resize(kept + (read.has_value() ? *read : 0));
    if (read.has_error()) return read.error();
    ended_ = *read == 0;
  }
  return std::size_t{0};
}

}  // namespace akin::http
