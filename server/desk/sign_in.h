// Signing in at the desk, and what happens to a form whose session had ended.
#pragma once

#include <string>
#include <string_view>

#include "server/desk/page.h"

namespace akin::desk {

/// `unkept`: a form that was sent after the session had ended was not read.
enum class SignInNote { none, ended, unkept, wrong, too_many };

struct SignIn {
  SignInNote note = SignInNote::none;
  std::string next = "/desk/";  ///< the page to go to
  WrittenForm written = {};     ///< waits to be sent again
};
/// The fields of its form, beside the key: `next`, and of the form that waits `again` and `kept`.
[[nodiscard]] std::string sign_in_page(const Reader& reader, const SignIn& view);

/// A form that the reader sends again by a button, or leaves for the page `next`.
[[nodiscard]] std::string send_again_page(const Reader& reader, const WrittenForm& written,
                                          std::string_view next);

/// What a person wrote into the fields of a form, for reading and copying; empty if nothing.
[[nodiscard]] std::string written_part(const Words& words, const WrittenForm& written);

/// What a link that signs in leads to: a button, so that a program which only looks at links takes none.
[[nodiscard]] std::string invitation_page(const Reader& reader);

}  // namespace akin::desk
