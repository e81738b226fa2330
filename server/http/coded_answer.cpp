#include "server/http/coded_answer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "server/ingest/content_coding.h"

namespace akin::http {

namespace {

constexpr std::size_t kLeastBytes = 1024;
constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max();

bool is_compressible(const api::Response& response) {
  if (response.body.size() < kLeastBytes || response.body.size() > kMostBytes) return false;
  return std::ranges::all_of(response.headers, [](const auto& field) {
    const auto& [name, value] = field;
    if (name == "Content-Type") return value == api::kJsonType || value == api::kLinesType;
    return name != "ETag" && name != "Content-Range";
  });
}

}  // namespace

void compress(api::Response& response, const api::Request& request) {
  if (!is_compressible(response)) return;
  response.headers.emplace_back("Vary", "Accept-Encoding");
  const ingest::Coding coding = ingest::accepted_coding(request.header("accept-encoding").value_or(""));
  if (coding == ingest::Coding::identity) return;
  Result<std::string> encoded = ingest::encode(coding, response.body);
  if (encoded.has_error()) return;
  response.body = *std::move(encoded);
  response.headers.emplace_back("Content-Encoding", coding == ingest::Coding::zstd ? "zstd" : "gzip");
}

}  // namespace akin::http
