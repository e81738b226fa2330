#include "server/ingest/content_coding.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

#include "base/ascii.h"
#include "base/text_codec.h"

namespace akin::ingest {

namespace {

Error broken(const char* reason) {
  return Error{Errc::invalid_argument, "compressed body of the request", reason,
               "send everything that the compressor wrote, and name its format in Content-Encoding"};
}

Error no_memory() {
  return Error{Errc::busy, "server", "not enough memory for decompression", "try again in a moment"};
}

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() = default;
  ~GzipDecoder() override {
    if (open_) inflateEnd(&stream_);
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  bool open(int /*window_log*/) {
    constexpr int kGzipHeader = 16;
    open_ = inflateInit2(&stream_, MAX_WBITS + kGzipHeader) == Z_OK;
    return open_;
  }

  Result<Step> decode(std::string_view encoded, std::span<char> decoded) override {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const std::size_t given = std::min(encoded.size(), kMost);
    const std::size_t room = std::min(decoded.size(), kMost);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(encoded.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(decoded.data());
    stream_.avail_out = static_cast<uInt>(room);
    while (stream_.avail_in > 0 || !complete_) {
      if (complete_) {  // another member follows, or zeros that fill a block, as gzip(1) takes them
        for (; stream_.avail_in > 0 && *stream_.next_in == 0; --stream_.avail_in) ++stream_.next_in;
        if (stream_.avail_in == 0) break;
        inflateReset(&stream_);
        complete_ = false;
      }
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_STREAM_END) {
        complete_ = true;
        continue;
      }
      if (code == Z_MEM_ERROR) return no_memory();
      if (code != Z_OK && code != Z_BUF_ERROR) return broken("is not gzip, or is damaged");
      if (stream_.avail_in == 0 || stream_.avail_out == 0) break;
    }
    return Step{given - stream_.avail_in, room - stream_.avail_out};
  }
  bool complete() const noexcept override { return complete_; }

 private:
  z_stream stream_{};
  bool open_ = false;
  bool complete_ = false;
};

class ZstdDecoder final : public Decoder {
 public:
  bool open(int window_log) {
    stream_.reset(ZSTD_createDStream());
    return stream_ &&
           ZSTD_isError(ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, window_log)) == 0;
  }

  Result<Step> decode(std::string_view encoded, std::span<char> decoded) override {
    ZSTD_inBuffer in{encoded.data(), encoded.size(), 0};
    ZSTD_outBuffer out{decoded.data(), decoded.size(), 0};
    while (true) {
      AKIN_CHECK(look_at_frame(encoded.substr(in.pos)));
      const std::size_t consumed = in.pos;
      const std::size_t produced = out.pos;
      // If called again after the end of a frame without input, zstd would begin a frame that never comes.
      if (complete_ && in.pos == encoded.size()) break;
      // The header byte by byte, so that the answer does not depend on how a frame arrives: zstd decodes one
      // that it has as a whole in another way, which refuses some damage that the usual way takes, and looks
      // for a format before 1.0 wherever a piece of a header begins.
      in.size = frame_bytes_ < header_.size() ? std::min(in.pos + 1, encoded.size()) : encoded.size();
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &out, &in);
      if (ZSTD_isError(left) != 0) return broken(ZSTD_getErrorName(left));
      complete_ = left == 0;
      frame_bytes_ += in.pos - consumed;
      content_bytes_ += out.pos - produced;
      if (complete_) AKIN_CHECK(end_frame());
      if (out.pos == out.size || (in.pos == consumed && out.pos == produced)) break;
    }
    return Step{in.pos, out.pos};
  }
  bool complete() const noexcept override { return complete_; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
  };

  /// Refuses frames of the formats before 1.0 (RFC 8878), whose decoders only some builds of the library have
  /// and nobody looks after. `next`: the bytes that follow those consumed of the frame.
  Result<void> look_at_frame(std::string_view next) {
    for (std::size_t i = 0; i < next.size() && frame_bytes_ + i < header_.size(); ++i) {
      header_[frame_bytes_ + i] = static_cast<unsigned char>(next[i]);
    }
    constexpr std::size_t kMagicBytes = 4;
    if (frame_bytes_ >= kMagicBytes || frame_bytes_ + next.size() < kMagicBytes) return {};
    const bool legacy = header_[1] == 0xB5 && header_[2] == 0x2F && header_[3] == 0xFD && header_[0] < 0x28;
    return legacy ? broken("it is of a format before zstd 1.0; compress it again") : Result<void>();
  }

  /// Compares the content with the size that the frame's header gives: zstd does so only if the last block is
  /// not empty.
  Result<void> end_frame() {
    const unsigned long long told =
        ZSTD_getFrameContentSize(header_.data(), std::min(frame_bytes_, header_.size()));
    const bool known = told != ZSTD_CONTENTSIZE_UNKNOWN && told != ZSTD_CONTENTSIZE_ERROR;
    const bool differs = known && told != content_bytes_;
    frame_bytes_ = 0;
    content_bytes_ = 0;
    return differs ? broken("its content does not have the size that its header gives") : Result<void>();
  }

  static constexpr std::size_t kMostHeaderBytes = 18;  // RFC 8878, 3.1.1: the magic number and the header

  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::array<unsigned char, kMostHeaderBytes> header_{};  ///< the first bytes of the frame
  std::size_t frame_bytes_ = 0;                           ///< consumed of the frame
  std::uint64_t content_bytes_ = 0;                       ///< of the frame so far
  bool complete_ = false;
};

template <class Kind>
Result<std::unique_ptr<Decoder>> opened(int window_log) {
  auto decoder = std::make_unique<Kind>();
  if (!decoder->open(window_log)) return no_memory();
  return std::unique_ptr<Decoder>(std::move(decoder));
}

}  // namespace

std::optional<Coding> find_coding(std::string_view field) {
  if (field.empty() || equals_ignoring_case(field, "identity")) return Coding::identity;
  if (equals_ignoring_case(field, "gzip") || equals_ignoring_case(field, "x-gzip")) return Coding::gzip;
  if (equals_ignoring_case(field, "zstd")) return Coding::zstd;
  return std::nullopt;
}

Coding accepted_coding(std::string_view field) {
  Coding accepted = Coding::identity;
  for (const std::string_view one : split(field, ',')) {
    const std::size_t weight = one.find("q=");
    const bool is_refused = weight != std::string_view::npos &&
                            trimmed(one.substr(weight + 2)).find_first_not_of("0.") == std::string_view::npos;
    const auto coding = find_coding(trimmed(one.substr(0, one.find(';'))));
    if (coding && !is_refused && accepted != Coding::zstd && *coding != Coding::identity) accepted = *coding;
  }
  return accepted;
}

Result<std::string> encode(Coding coding, std::string_view body) {
  if (coding == Coding::identity) return std::string(body);
  if (coding == Coding::zstd) return compress_bytes(body, true);
  constexpr int kGzipHeader = 16, kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzipHeader, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return no_memory();
  std::string encoded(deflateBound(&stream, body.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(encoded.data());
  stream.avail_out = static_cast<uInt>(encoded.size());
  const int code = deflate(&stream, Z_FINISH);
  encoded.resize(encoded.size() - stream.avail_out);
  deflateEnd(&stream);
  if (code != Z_STREAM_END) return Error{Errc::internal, "answer", "cannot be compressed", ""};
  return encoded;
}

Result<std::unique_ptr<Decoder>> make_decoder(Coding coding, int window_log) {
  switch (coding) {
    case Coding::gzip:
      return opened<GzipDecoder>(window_log);
    case Coding::zstd:
      return opened<ZstdDecoder>(window_log);
    case Coding::identity:
      break;
  }
  return std::unique_ptr<Decoder>();
}

Error truncated_coding() { return broken("ends before the compressed data is complete"); }

}  // namespace akin::ingest
