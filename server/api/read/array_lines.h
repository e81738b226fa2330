// A JSON array as lines of JSON, for what reads lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"
#include "server/api/stream.h"

namespace akin::api {

/// Makes a line of each element of an array while it arrives, as long as the elements are JSON. Where the
/// body is not an array (an element is missing, the end is, or something follows it), there is a line that is
/// not JSON, so that the reader of the lines reports it. A body that does not begin with a bracket is one
/// line. For one thread.
class ArrayLines final : public BodySource {
 public:
  /// `body` must outlive it.
  explicit ArrayLines(BodySource& body) noexcept : body_(body) {}
  Result<std::size_t> read(std::span<char> into) override;

 private:
  enum class Place : std::uint8_t { before_array, before_element, in_element, after_array, no_array };

  void take(char c);
  void take_in_element(char c);
  void finish();

  BodySource& body_;
  std::string lines_;   ///< made, and not yet read from `at_`
  std::size_t at_ = 0;  ///< in `lines_`
  Place place_ = Place::before_array;
  std::uint64_t elements_ = 0, depth_ = 0;
  bool in_string_ = false, escaped_ = false;
  bool ended_ = false;
};

}  // namespace akin::api
