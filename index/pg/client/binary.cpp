#include "index/pg/client/binary.h"

namespace akin::pg {
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

std::string binary_array(std::span<const std::int64_t> values) {
  std::string array = array_head(values.size(), kBigint);
  array.reserve(array.size() + values.size() * (sizeof(std::int64_t) + 4));
  for (const std::int64_t value : values) {
    append_big_endian(array, static_cast<std::int32_t>(sizeof value));
    append_big_endian(array, value);
  }
  return array;
}

}  // namespace akin::pg
