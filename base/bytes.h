// Numbers as bytes in a given order, at any address (Boost.Endian).
#pragma once

#include <boost/endian/conversion.hpp>
#include <cstdint>
#include <string>

namespace akin {

template <class T>
void append_little_endian(std::string& out, T value) {
  char bytes[sizeof(T)];
  boost::endian::endian_store<T, sizeof(T), boost::endian::order::little>(
      reinterpret_cast<unsigned char*>(bytes), value);
  out.append(bytes, sizeof(T));
}
template <class T>
void append_big_endian(std::string& out, T value) {
  char bytes[sizeof(T)];
  boost::endian::endian_store<T, sizeof(T), boost::endian::order::big>(
      reinterpret_cast<unsigned char*>(bytes), value);
  out.append(bytes, sizeof(T));
}

template <class T>
[[nodiscard]] T load_little_endian(const char* bytes) noexcept {
  return boost::endian::endian_load<T, sizeof(T), boost::endian::order::little>(
      reinterpret_cast<const unsigned char*>(bytes));
}
template <class T>
[[nodiscard]] T load_big_endian(const char* bytes) noexcept {
  return boost::endian::endian_load<T, sizeof(T), boost::endian::order::big>(
      reinterpret_cast<const unsigned char*>(bytes));
}

inline void append_u16(std::string& out, std::uint16_t value) { append_little_endian(out, value); }
inline void append_u32(std::string& out, std::uint32_t value) { append_little_endian(out, value); }
inline void append_u64(std::string& out, std::uint64_t value) { append_little_endian(out, value); }
inline void append_u32_big_endian(std::string& out, std::uint32_t value) { append_big_endian(out, value); }
inline void append_u64_big_endian(std::string& out, std::uint64_t value) { append_big_endian(out, value); }

[[nodiscard]] inline std::uint16_t load_u16(const char* bytes) noexcept {
  return load_little_endian<std::uint16_t>(bytes);
}
[[nodiscard]] inline std::uint32_t load_u32(const char* bytes) noexcept {
  return load_little_endian<std::uint32_t>(bytes);
}
[[nodiscard]] inline std::uint64_t load_u64(const char* bytes) noexcept {
  return load_little_endian<std::uint64_t>(bytes);
}
[[nodiscard]] inline std::uint32_t load_u32_big_endian(const char* bytes) noexcept {
  return load_big_endian<std::uint32_t>(bytes);
}
[[nodiscard]] inline std::uint64_t load_u64_big_endian(const char* bytes) noexcept {
  return load_big_endian<std::uint64_t>(bytes);
}

}  // namespace akin
