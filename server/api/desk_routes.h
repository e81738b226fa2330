// The paths of the pages for people, and their handlers.
#pragma once

#include <array>

#include "server/api/route.h"

namespace akin::api {

// desk.cpp: pages for people. Errors become pages, too.
/// Whether a form that has arrived begins with its token, if it needs one. Errors: forbidden; as first_field.
[[nodiscard]] Result<void> check_form(const Request& request);
[[nodiscard]] Result<Response> get_desk_root(const Call& call);
[[nodiscard]] Result<Response> get_desk_style(const Call& call);
[[nodiscard]] Result<Response> get_desk_script(const Call& call);
[[nodiscard]] Result<Response> get_desk_switches(const Call& call);
[[nodiscard]] Result<Response> get_desk_beside(const Call& call);
[[nodiscard]] Result<Response> get_desk_says(const Call& call);
[[nodiscard]] Result<Response> get_hand_in(const Call& call);
[[nodiscard]] Result<Response> get_cases(const Call& call);
[[nodiscard]] Result<Response> post_cases(const Call& call);
[[nodiscard]] Result<Response> get_case(const Call& call);     ///< capture: id of the check
[[nodiscard]] Result<Response> admit_case(const Call& call);   ///< capture: id of the check
[[nodiscard]] Result<Response> delete_case(const Call& call);  ///< capture: id of the check

// desk_sign_in.cpp
[[nodiscard]] Result<Response> get_sign_in(const Call& call);
[[nodiscard]] Result<Response> post_sign_in(const Call& call);
[[nodiscard]] Result<Response> get_invitation(const Call& call);   ///< capture: the invitation
[[nodiscard]] Result<Response> take_invitation(const Call& call);  ///< capture: the invitation
[[nodiscard]] Result<Response> post_sign_out(const Call& call);

// desk_decisions.cpp; captures: id of the check
[[nodiscard]] Result<Response> decide_case(const Call& call);
[[nodiscard]] Result<Response> accept_cases(const Call& call);  ///< no capture
[[nodiscard]] Result<Response> get_case_marks(const Call& call);
[[nodiscard]] Result<Response> mark_case(const Call& call);
[[nodiscard]] Result<Response> switch_case(const Call& call);
[[nodiscard]] Result<Response> undo_marks(const Call& call);
[[nodiscard]] Result<Response> get_desk_collections(const Call& call);
[[nodiscard]] Result<Response> post_desk_collections(const Call& call);
/// Capture: collection.
[[nodiscard]] Result<std::optional<Response>> post_desk_documents(const Call& call, BodySource& body,
                                                                  AnswerSink& sink);

// desk_browse.cpp
[[nodiscard]] Result<Response> get_desk_collection(const Call& call);  ///< capture: collection
[[nodiscard]] Result<Response> get_desk_document(const Call& call);    ///< captures: collection, id
[[nodiscard]] Result<Response> get_desk_compare(const Call& call);
[[nodiscard]] Result<Response> post_desk_compare(const Call& call);

// desk_operate.cpp: for an administrator of all collections
[[nodiscard]] Result<Response> get_desk_server(const Call& call);
[[nodiscard]] Result<Response> post_desk_server(
    const Call& call);  ///< capture: reindex, backup, cancel, drop
[[nodiscard]] Result<Response> get_desk_persons(const Call& call);
[[nodiscard]] Result<Response> post_desk_persons(const Call& call);
/// Captures: id of the person; secret, disable, enable or remove.
[[nodiscard]] Result<Response> post_desk_person(const Call& call);
[[nodiscard]] Result<Response> get_desk_log(const Call& call);

// desk_keys.cpp; capture: id of the key
[[nodiscard]] Result<Response> get_desk_keys(const Call& call);
[[nodiscard]] Result<Response> post_desk_keys(const Call& call);
[[nodiscard]] Result<Response> revoke_desk_key(const Call& call);

// desk_duplicates.cpp; capture: collection
[[nodiscard]] Result<Response> get_desk_duplicates(const Call& call);
[[nodiscard]] Result<Response> post_desk_duplicates(const Call& call);
[[nodiscard]] Result<Response> remove_desk_documents(const Call& call);

// desk_watches.cpp; captures: collection, name of the watch
[[nodiscard]] Result<Response> get_desk_watches(const Call& call);
[[nodiscard]] Result<Response> post_desk_watches(const Call& call);
[[nodiscard]] Result<Response> remove_desk_watch(const Call& call);

// desk_rules.cpp; capture: name of the policy
[[nodiscard]] Result<Response> get_desk_rules(const Call& call);
[[nodiscard]] Result<Response> post_desk_rules(const Call& call);
[[nodiscard]] Result<Response> get_desk_rule(const Call& call);
[[nodiscard]] Result<Response> post_desk_rule(const Call& call);

// desk_links.cpp; captures: id of the check, id of the link or its token
[[nodiscard]] Result<Response> make_case_link(const Call& call);
[[nodiscard]] Result<Response> revoke_case_link(const Call& call);
[[nodiscard]] Result<Response> open_link(const Call& call);
[[nodiscard]] Result<Response> state_by_link(const Call& call);

// desk_sheet.cpp; captures: id of the check, number of the page
[[nodiscard]] Result<Response> get_desk_sheet(const Call& call);

// desk_cohort.cpp; capture: id of the task
[[nodiscard]] Result<Response> get_desk_cohort(const Call& call);

// pairs_page.cpp; captures: id of the task. The errors of the page become pages.
[[nodiscard]] Result<Response> get_pairs_page(const Call& call);
[[nodiscard]] Result<Response> put_page_labels(const Call& call);

inline constexpr std::array kDeskRoutes = {
    Route{"/desk", {{{"GET", kAnyone, get_desk_root, nullptr, Delivery::at_once}}}},
    Route{"/desk/", {{{"GET", Scope::check, get_hand_in}}}},
    Route{"/desk/desk.css", {{{"GET", kAnyone, get_desk_style, nullptr, Delivery::at_once}}}},
    Route{"/desk/desk.js", {{{"GET", kAnyone, get_desk_script, nullptr, Delivery::at_once}}}},
    Route{"/desk/beside.js", {{{"GET", kAnyone, get_desk_beside, nullptr, Delivery::at_once}}}},
    Route{"/desk/says.js", {{{"GET", kAnyone, get_desk_says, nullptr, Delivery::at_once}}}},
    Route{"/desk/switches.js", {{{"GET", kAnyone, get_desk_switches, nullptr, Delivery::at_once}}}},
    Route{"/desk/sign-in", {{{"GET", kAnyone, get_sign_in}, {"POST", kAnyone, post_sign_in}}}},
    Route{"/desk/sign-in/{token}", {{{"GET", kAnyone, get_invitation}, {"POST", kAnyone, take_invitation}}}},
    Route{"/desk/sign-out", {{{"POST", kAnyone, post_sign_out}}}},
    Route{"/desk/checks", {{{"GET", Scope::check, get_cases}, {"POST", Scope::check, post_cases}}}},
    Route{"/desk/checks/{check}", {{{"GET", Scope::check, get_case}}}},
    Route{"/desk/checks/{check}/pages/{page}", {{{"GET", Scope::check, get_desk_sheet}}}},
    Route{"/desk/checks/{check}/report",
          {{{"GET", Scope::check, get_report, nullptr, Delivery::worker, Creation::none, "get_report"}}}},
    Route{"/desk/checks/{check}/decision", {{{"POST", Scope::decide, decide_case}}}},
    Route{"/desk/accept", {{{"POST", Scope::decide, accept_cases}}}},
    Route{"/desk/checks/{check}/marks",
          {{{"GET", Scope::review, get_case_marks}, {"POST", Scope::review, mark_case}}}},
    Route{"/desk/checks/{check}/switch", {{{"POST", Scope::review, switch_case}}}},
    Route{"/desk/checks/{check}/undo", {{{"POST", Scope::review, undo_marks}}}},
    Route{"/desk/checks/{check}/links", {{{"POST", Scope::review, make_case_link}}}},
    Route{"/desk/checks/{check}/links/{link}/revoke", {{{"POST", Scope::review, revoke_case_link}}}},
    Route{"/desk/links/{check}/{token}", {{{"GET", kAnyone, open_link}, {"POST", kAnyone, state_by_link}}}},
    Route{"/desk/checks/{check}/admit", {{{"POST", Scope::write, admit_case}}}},
    Route{"/desk/checks/{check}/delete", {{{"POST", Scope::check, delete_case}}}},
    Route{"/desk/server", {{{"GET", Scope::admin, get_desk_server}}}},
    Route{"/desk/server/{action}", {{{"POST", Scope::admin, post_desk_server}}}},
    Route{"/desk/persons",
          {{{"GET", Scope::admin, get_desk_persons}, {"POST", Scope::admin, post_desk_persons}}}},
    Route{"/desk/persons/{person}/{action}", {{{"POST", Scope::admin, post_desk_person}}}},
    Route{"/desk/rules", {{{"GET", Scope::admin, get_desk_rules}, {"POST", Scope::admin, post_desk_rules}}}},
    Route{"/desk/rules/{policy}",
          {{{"GET", Scope::admin, get_desk_rule}, {"POST", Scope::admin, post_desk_rule}}}},
    Route{"/desk/keys", {{{"GET", Scope::admin, get_desk_keys}, {"POST", Scope::admin, post_desk_keys}}}},
    Route{"/desk/keys/{key}/revoke", {{{"POST", Scope::admin, revoke_desk_key}}}},
    Route{"/desk/collections/{collection}/duplicates",
          {{{"GET", Scope::read, get_desk_duplicates}, {"POST", Scope::admin, post_desk_duplicates}}}},
    Route{"/desk/collections/{collection}/remove", {{{"POST", Scope::write, remove_desk_documents}}}},
    Route{"/desk/collections/{collection}/watches",
          {{{"GET", Scope::read, get_desk_watches}, {"POST", Scope::write, post_desk_watches}}}},
    Route{"/desk/collections/{collection}/watches/{watch}/remove",
          {{{"POST", Scope::write, remove_desk_watch}}}},
    Route{"/desk/log", {{{"GET", Scope::admin, get_desk_log}}}},
    Route{"/desk/cohorts/{task}", {{{"GET", Scope::read, get_desk_cohort}}}},
    Route{"/desk/pairs/{task}", {{{"GET", Scope::read, get_pairs_page}}}},
    Route{"/desk/pairs/{task}/labels", {{{"PUT", Scope::write, put_page_labels}}}},
    Route{"/desk/collections",
          {{{"GET", Scope::check, get_desk_collections}, {"POST", Scope::admin, post_desk_collections}}}},
    Route{"/desk/collections/{collection}", {{{"GET", Scope::read, get_desk_collection}}}},
    Route{"/desk/compare",
          {{{"GET", Scope::read, get_desk_compare}, {"POST", Scope::read, post_desk_compare}}}},
    Route{"/desk/collections/{collection}/documents/{id*}", {{{"GET", Scope::read, get_desk_document}}}},
    Route{"/desk/collections/{collection}/documents",
          {{streaming("POST", Scope::write, post_desk_documents)}}},
};

}  // namespace akin::api
