// The body of a stream, with its content encoding decoded as it arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/error.h"
#include "server/api/stream.h"
#include "server/http/stream_exchange.h"
#include "server/ingest/content_coding.h"

namespace akin::http {

/// The body of a stream. Gives at most `limit` decoded bytes.
class ExchangeSource final : public api::BodySource {
 public:
  ExchangeSource(StreamExchange& exchange, ingest::Coding coding, std::uint64_t limit);
  Result<std::size_t> read(std::span<char> into) override;

 private:
  Result<std::size_t> read_decoded(std::span<char> into);

  StreamExchange& exchange_;
  const std::uint64_t limit_;
  std::uint64_t given_ = 0;
  Result<std::unique_ptr<ingest::Decoder>> decoder_;
  std::string encoded_;  ///< read; not yet decoded from `decoded_` on
  std::size_t decoded_ = 0;
  bool ended_ = false;
};

}  // namespace akin::http
