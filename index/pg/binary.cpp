#include "index/pg/binary.h"

#include "base/error.h"

namespace akin::pg {
namespace {

template <class T>
std::string array_of(std::span<const T> values, std::uint32_t type) {
  std::string array = array_head(values.size(), type);
  array.reserve(array.size() + values.size() * (sizeof(T) + 4));
  for (const T value : values) {
    append_big_endian(array, static_cast<std::int32_t>(sizeof(T)));
    append_big_endian(array, value);
  }
  return array;
}

Error no_array() {
  return Error{Errc::corrupt, "database", "a value that should be an array of numbers is not one", ""};
}

}  // namespace

std::string array_head(std::size_t size, std::uint32_t type) {
  std::string head;
  append_big_endian<std::int32_t>(head, size == 0 ? 0 : 1);
  append_big_endian<std::int32_t>(head, 0);
  append_big_endian(head, type);
  if (size == 0) return head;
  append_big_endian(head, static_cast<std::int32_t>(size));
  append_big_endian<std::int32_t>(head, 1);
  return head;
}

std::string binary_array(std::span<const std::int64_t> values) { return array_of(values, kBigint); }
std::string binary_array(std::span<const std::int32_t> values) { return array_of(values, kInteger); }

Result<void> read_array(std::string_view bytes, std::vector<std::int64_t>& values) {
  constexpr std::size_t kHead = 20;
  if (bytes.size() < kHead || load_big_endian<std::uint32_t>(bytes.data()) != 1) return no_array();
  const auto type = load_big_endian<std::uint32_t>(bytes.data() + 8);
  const std::uint64_t size = load_big_endian<std::uint32_t>(bytes.data() + 12);
  const std::size_t width = type == kInteger ? 4 : 8;
  if ((type != kInteger && type != kBigint) || bytes.size() != kHead + size * (width + 4)) return no_array();
  values.reserve(values.size() + static_cast<std::size_t>(size));
  for (std::size_t at = kHead; at < bytes.size(); at += width + 4) {
    if (load_big_endian<std::uint32_t>(bytes.data() + at) != width) return no_array();
    const char* const value = bytes.data() + at + 4;
    values.push_back(width == 4 ? load_big_endian<std::int32_t>(value)
                                : load_big_endian<std::int64_t>(value));
  }
  return {};
}

}  // namespace akin::pg
