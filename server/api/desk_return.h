// Where a person at the desk continues: the page that was asked for, and the form that was not carried out.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "server/api/call.h"
#include "server/desk/sign_in.h"

namespace akin::api {

/// The target, if it is that of a page of the desk which GET reads, other than those for signing in; else
/// "/desk/". So nothing that a form or an address says leads to another site.
[[nodiscard]] std::string page_or_root(std::string_view target);

/// The page whose form the request sends: that of the field Referer, or else of the same address, or
/// "/desk/".
[[nodiscard]] std::string page_of_form(const Request& request);

/// Of a form whose session has ended: the bytes of a larger one are not read.
inline constexpr std::size_t kMostKept = std::size_t{1} << 20U;

/// What the form says that the request sends, without its tokens; only its action if it could not be read.
[[nodiscard]] desk::WrittenForm written_form(const Request& request, const Result<Form>& form);
/// The form that the page for signing in has kept in these fields; without an action if it is none of the
/// desk's.
[[nodiscard]] desk::WrittenForm kept_form(std::span<const Parameter> fields);

/// Whether the body of this form, whose session has ended, is read all the same, to be sent again after
/// signing in: it is small, and surely of this site.
[[nodiscard]] bool keeps_form(const Request& head);

/// The answer to such a form.
[[nodiscard]] Response ask_to_sign_in(const Service& service, const Request& request);

/// The answer to a form, which the reader wrote, with the token of an earlier session.
[[nodiscard]] Response ask_to_send_again(const desk::Reader& reader);

}  // namespace akin::api
