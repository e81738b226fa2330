// Numbers as PostgreSQL's binary formats have them.
#pragma once

#include <cstdint>
#include <string>

namespace akin::pg {

template <class T>
void append_big_endian(std::string& out, T value) {
  for (int shift = static_cast<int>(sizeof(T)) * 8 - 8; shift >= 0; shift -= 8) {
    out += static_cast<char>(static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> shift));
  }
}

}  // namespace akin::pg
