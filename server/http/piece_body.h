// A body for Beast's parser that hands over the bytes received so far. (Its string_body reserves memory for
// any length that a client announces.)
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/optional/optional.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

namespace akin::http {

struct PieceBody {
  using value_type = std::string;

  class reader {
   public:
    template <bool IsRequest, class Fields>
    reader(boost::beast::http::header<IsRequest, Fields>&, value_type& piece) : piece_(piece) {}
    void init(const boost::optional<std::uint64_t>&, boost::system::error_code& failure) { failure = {}; }
    template <class Buffers>
    std::size_t put(const Buffers& buffers, boost::system::error_code& failure) {
      failure = {};
      std::size_t bytes = 0;
      for (auto part = boost::asio::buffer_sequence_begin(buffers);
           part != boost::asio::buffer_sequence_end(buffers); ++part) {
        const boost::asio::const_buffer buffer(*part);
        piece_.append(static_cast<const char*>(buffer.data()), buffer.size());
        bytes += buffer.size();
      }
      return bytes;
    }
    void finish(boost::system::error_code& failure) { failure = {}; }

   private:
    value_type& piece_;
  };
};

using Parser = boost::beast::http::request_parser<PieceBody>;

}  // namespace akin::http
