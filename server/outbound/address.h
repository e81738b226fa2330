// Decides which addresses the server may connect to for anyone who can store a watch.
#pragma once

#include <sys/socket.h>

namespace akin::watch {

/// Whether the address belongs to the public internet: not loopback, private, shared (RFC 6598), link-local,
/// multicast, reserved, for documentation, nor an IPv6 address that wraps an IPv4 one (RFC 6890 and the
/// registries of IANA). False for anything but IPv4 and IPv6.
[[nodiscard]] bool is_public_address(const sockaddr& address) noexcept;

}  // namespace akin::watch
