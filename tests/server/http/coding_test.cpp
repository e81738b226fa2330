// Compressed bodies: taken, bounded by what they become, and refused when broken.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>

#include "server/http/decoded_body.h"
#include "tests/server/http/fake_backend.h"
#include "tests/server/http/http_client.h"

namespace akin::test {
namespace {

using namespace std::chrono_literals;
using ingest::Coding;
using ::testing::HasSubstr;

std::string gzip(std::string_view plain) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  return packed;
}

std::string packed(ingest::Coding coding, std::string_view plain) {
  return coding == ingest::Coding::gzip ? gzip(plain) : zstd(plain);
}

/// Compressible, with an end that shows whether all of it arrived.
std::string text(std::size_t bytes) {
  std::string made;
  for (unsigned number = 0; made.size() < bytes; ++number)
    made += "line " + std::to_string(number * 7919) + "\n";
  return made.substr(0, bytes);
}

struct NamedCoding {
  const char* name;
  ingest::Coding coding;

  friend std::ostream& operator<<(std::ostream& out, const NamedCoding& row) { return out << row.name; }
};

class Coded : public HttpTest, public ::testing::WithParamInterface<NamedCoding> {
 protected:
  void SetUp() override {
    fake_->answer = [](const api::Request& given) {
      return api::Response{.status = 200, .headers = {}, .body = given.body};
    };
    fake_->stream = [](const api::Request&, api::BodySource& body,
                       api::AnswerSink& sink) -> std::optional<api::Response> {
      EXPECT_FALSE(sink.begin({}).has_error());
      std::array<char, 1000> bytes;
      while (true) {
        const auto got = body.read(bytes);
        if (got.has_error()) {
          EXPECT_FALSE(sink.write(error_name(got.error().code)).has_error());
          return std::nullopt;
        }
        if (*got == 0) return std::nullopt;
        if (sink.write({bytes.data(), *got}).has_error()) return std::nullopt;
      }
    };
  }
  void serve(const http::ServerOptions& options = quick_options()) { server_.emplace(fake_, options); }

  [[nodiscard]] std::string pack(std::string_view plain) const { return packed(GetParam().coding, plain); }
  std::optional<HttpAnswer> post(std::string_view target, std::string_view body) {
    HttpClient client(server_->port());
    const std::string whole =
        request("POST", target, kText, body, std::string("Content-Encoding: ") + GetParam().name + "\r\n");
    std::jthread sender([&] { client.send(whole); });
    return client.receive();
  }

  const std::shared_ptr<FakeBackend> fake_ = std::make_shared<FakeBackend>();
};

INSTANTIATE_TEST_SUITE_P(All, Coded,
                         ::testing::Values(NamedCoding{"gzip", ingest::Coding::gzip},
                                           NamedCoding{"zstd", ingest::Coding::zstd}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(Coded, BodyReachesTheHandlerPlain) {
  serve();
  const std::string plain = text(300'000);
  EXPECT_EQ(post("/worker", pack(plain))->body, plain);
}

TEST_P(Coded, StreamReachesTheHandlerPlain) {
  serve();
  const std::string plain = text(5'000'000);
  EXPECT_EQ(post("/stream", pack(plain))->body, plain);
}

TEST_P(Coded, MembersFollowOneAnother) {
  serve();
  const std::string body = pack("one") + pack("") + pack("two");
  EXPECT_EQ(post("/worker", body)->body, "onetwo");
  EXPECT_EQ(post("/stream", body)->body, "onetwo");
}

TEST_P(Coded, ZerosAfterItFillABlockOfGzipAlone) {
  serve();
  const std::string zeros(1000, '\0');
  if (GetParam().coding == ingest::Coding::zstd) {
    EXPECT_EQ(post("/worker", pack("one") + zeros)->status, 400);
    return;
  }
  EXPECT_EQ(post("/worker", pack("one") + zeros)->body, "one");
  EXPECT_EQ(post("/stream", pack("one") + zeros + pack("two"))->body, "onetwo");
  EXPECT_EQ(post("/worker", pack("one") + zeros + "x")->status, 400);
}

TEST_P(Coded, FramesOfFormatsBeforeZstdOneAreRefused) {
  if (GetParam().coding != ingest::Coding::zstd) GTEST_SKIP() << "of zstd";
  serve();
  for (const char version : {'\x1e', '\x25', '\x26', '\x27'}) {
    const std::string legacy = version + std::string("\xB5\x2F\xFD and what follows");
    EXPECT_THAT(post("/worker", legacy)->body, HasSubstr("before zstd 1.0"));
    EXPECT_THAT(post("/worker", pack("one") + legacy)->body, HasSubstr("before zstd 1.0"));
    EXPECT_THAT(post("/stream", pack("one") + legacy)->body, HasSubstr("invalid_argument"));
  }
}

TEST_P(Coded, FramesWithAnotherSizeThanTheirHeaderGivesAreRefused) {
  if (GetParam().coding != ingest::Coding::zstd) GTEST_SKIP() << "of zstd";
  serve();
  // A size of 314 bytes, and one empty block, which is the last: zstd itself compares them only where it gets
  // the whole frame at once.
  const std::string frame("\x28\xB5\x2F\xFD\x60\x3A\x00\x01\x00\x00", 10);
  EXPECT_EQ(post("/worker", frame)->status, 400);
  EXPECT_EQ(post("/worker", pack("one") + frame)->status, 400);
  EXPECT_THAT(post("/stream", pack("one") + frame)->body, HasSubstr("invalid_argument"));
  const auto decoder = ingest::make_decoder(ingest::Coding::zstd).value();
  std::array<char, 1> room{};
  bool refused = false;
  for (const char& byte : frame) refused = decoder->decode({&byte, 1}, room).has_error() || refused;
  EXPECT_TRUE(refused);
}

TEST(ZstdCoding, FrameIsTheSameWholeAndInPieces) {
  // A compressed block without a byte, which zstd refuses only in a frame that it has as a whole; and the
  // magic number of a format before 1.0 after a byte that may begin a frame.
  for (const std::string& frame : {std::string("\x28\xB5\x2F\xFD\x20\x00\x05\x00\x00", 9),
                                   std::string("\x28\x27\xB5\x2F\xFD\x00\x00\xFF\xFA\x00", 10)}) {
    std::array<char, 1> room{};
    const auto whole = ingest::make_decoder(ingest::Coding::zstd).value();
    const bool refused = whole->decode(frame, room).has_error();
    const auto decoder = ingest::make_decoder(ingest::Coding::zstd).value();
    bool refused_in_pieces = false;
    for (const char& byte : frame)
      refused_in_pieces = decoder->decode({&byte, 1}, room).has_error() || refused_in_pieces;
    EXPECT_EQ(refused, refused_in_pieces);
  }
}

TEST_P(Coded, LimitIsOfTheDecodedBody) {
  auto options = quick_options();
  options.body_limit = 100'000;
  options.stream_limit = 100'000;
  serve(options);
  EXPECT_EQ(post("/worker", pack(std::string(100'000, 'x')))->status, 200);
  const auto refused = post("/worker", pack(std::string(100'001, 'x')));
  EXPECT_EQ(refused->status, 413);
  EXPECT_THAT(refused->body, HasSubstr("100000 bytes"));
  EXPECT_THAT(post("/stream", pack(std::string(100'001, 'x')))->body, HasSubstr("too_large"));
}

TEST_P(Coded, BombTakesNoMoreMemoryThanTheLimit) {
  std::size_t held = 0;
  const auto decoded = http::decode_body(GetParam().coding, pack(std::string(50'000'000, 'x')), 1'000'000,
                                         [&](std::size_t more) {
                                           held += more;
                                           return true;
                                         });
  ASSERT_TRUE(decoded.has_error());
  EXPECT_EQ(decoded.error().code, Errc::too_large);
  EXPECT_LE(held, 1'000'001U);
}

TEST_P(Coded, EveryTruncationIsRefused) {
  const std::string whole = pack(text(2000));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto decoded = http::decode_body(GetParam().coding, whole.substr(0, length), 100'000,
                                           [](std::size_t) { return true; });
    ASSERT_TRUE(decoded.has_error()) << length;
    EXPECT_EQ(decoded.error().code, Errc::invalid_argument) << length;
  }
}

TEST_P(Coded, TruncatedBodyIsABadRequest) {
  serve();
  const std::string whole = pack(text(100'000));
  const std::string_view half = std::string_view(whole).substr(0, whole.size() / 2);
  EXPECT_EQ(post("/worker", half)->status, 400);
  EXPECT_THAT(post("/stream", half)->body, HasSubstr("invalid_argument"));
}

TEST_P(Coded, WhatIsNotCompressedIsABadRequest) {
  serve();
  EXPECT_EQ(post("/worker", "")->status, 400);
  EXPECT_EQ(post("/worker", "plain text")->status, 400);
  EXPECT_EQ(post("/worker", pack("a") + "behind it")->status, 400);
  EXPECT_EQ(post("/stream", "plain text")->body, "invalid_argument");
}

/// Asks for a window of 128 MiB; a compressor that does not know how much will come writes what it was told
/// to.
std::string zstd_with_a_large_window() {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, 27);
  std::string packed(1000, '\0');
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  ZSTD_inBuffer in{"small", 5, 0};
  ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_continue);
  ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end);
  packed.resize(out.pos);
  return packed;
}

TEST(ZstdCoding, WindowOverThatOfTheStandardIsRefused) {
  const auto decoded =
      http::decode_body(Coding::zstd, zstd_with_a_large_window(), 100'000, [](std::size_t) { return true; });
  ASSERT_TRUE(decoded.has_error());
  EXPECT_EQ(decoded.error().code, Errc::invalid_argument);
}

class HttpCoding : public HttpTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(HttpCoding, IsNotKnownAndTheKnownOnesAreNamed) {
  start();
  HttpClient client(server_->port());
  client.send(request("POST", "/v1/compare", kText, "x", "Content-Encoding: " + GetParam() + "\r\n"));
  const auto answer = client.receive();
  EXPECT_EQ(answer->status, 415);
  EXPECT_EQ(answer->header("accept-encoding"), "gzip, zstd");
}

INSTANTIATE_TEST_SUITE_P(All, HttpCoding,
                         ::testing::Values("br", "deflate", "gzip, zstd", "gzip\r\nContent-Encoding: gzip"));

}  // namespace
}  // namespace akin::test
