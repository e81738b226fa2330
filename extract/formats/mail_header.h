// How an e-mail begins.
#pragma once

#include <cstddef>
#include <string_view>

namespace akin::extract {

/// Whether a file begins with the header of an e-mail (RFC 5322), perhaps after the line "From …" of a
/// mailbox: fields alone, among them a sender and what a program that sends mail adds, or a date and whom it
/// is to.
[[nodiscard]] bool begins_as_mail(std::string_view begin);
inline constexpr std::size_t kMailHeaderBytes = std::size_t{1} << 16U;  ///< that it looks at

}  // namespace akin::extract
