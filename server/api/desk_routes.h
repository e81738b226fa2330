// The paths of the pages for people.
#pragma once

#include <array>

#include "server/api/handlers.h"
#include "server/api/route.h"

namespace akin::api {

inline constexpr std::array kDeskRoutes = {
    Route{"/desk", {{{"GET", kAnyone, get_desk_root, nullptr, Delivery::at_once}}}},
    Route{"/desk/", {{{"GET", Scope::check, get_hand_in}}}},
    Route{"/desk/desk.css", {{{"GET", kAnyone, get_desk_style, nullptr, Delivery::at_once}}}},
    Route{"/desk/sign-in", {{{"GET", kAnyone, get_sign_in}, {"POST", kAnyone, post_sign_in}}}},
    Route{"/desk/sign-out", {{{"POST", kAnyone, post_sign_out}}}},
    Route{"/desk/checks", {{{"GET", Scope::check, get_cases}, {"POST", Scope::check, post_cases}}}},
    Route{"/desk/checks/{check}", {{{"GET", Scope::check, get_case}}}},
    Route{"/desk/checks/{check}/decision", {{{"POST", Scope::decide, decide_case}}}},
    Route{"/desk/checks/{check}/marks",
          {{{"GET", Scope::review, get_case_marks}, {"POST", Scope::review, mark_case}}}},
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
    Route{"/desk/log", {{{"GET", Scope::admin, get_desk_log}}}},
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
