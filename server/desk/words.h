// What the desk says, in each of its languages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace akin::desk {

/// A name of the interface, such as that of an alert, and what a reader sees instead.
struct Named {
  std::string_view name;
  std::string_view text;
};

/// All texts of one language. "%1" to "%4" stand for what `filled` puts in. texts/ has one file a language,
/// with the same names in the same order.
struct Words {
  std::string_view tag;             ///< BCP 47: "en"
  std::string_view own_name;        ///< of the language, in itself
  std::string_view decimal_point;   ///< "." or ","
  std::string_view thousands_mark;  ///< between groups of three digits
  std::string_view kilobyte, megabyte;

  // The frame.
  std::string_view desk, hand_in, cases, collections, sign_in, sign_out, documentation, skip, error;
  std::vector<Named> problems;  ///< by the code of the error
  std::vector<Named> mistakes;  ///< by what the reason of an error begins with, where that says more

  // Handing in.
  std::string_view hand_in_intro, files, or_text, or_text_hint, sending, send_failed, send_after_sign_in,
      title, author, author_hint, policy, compare_with, documents, check, no_collections,
      no_collection_for_you, failed_files, new_case, taken_files, waiting, waiting_hint, cancel_check;
  std::vector<Named> hand_in_states;

  // Signing in.
  std::string_view sign_in_intro, key, wrong_key, invitation, session_ended, form_waits, files_again,
      too_large_to_keep, written, not_sent, not_sent_hint, send_again, to_the_page;

  // The cases.
  std::string_view no_cases, received, verdict, share, all_verdicts, accept_all, part_of_check, since, until,
      day_hint, least_text, filter, older, newest, count_of_cases, many_cases, hide_names_here,
      show_names_here, admitted;

  // Collections.
  std::string_view collection, make, name, name_hint, add_documents, upload, stored, refused, unchanged,
      no_words, text_size, upload_hint;

  // The report.
  std::string_view pass, review, refuse, pass_hint, review_hint, refuse_hint, found_sentence, extent_sentence,
      excluded_sentence, common_sentence, language_sentence, nothing_compared, reasons, alerts,
      letters_of_scripts, alert_places, file_alert_share, hidden_by, sources, no_sources, more_sources,
      source_sentence, source_words, source_only, source_same, source_same_later, source_dated,
      source_undated, source_stored, passage, passage_words, passage_shares, quoted, referenced,
      in_bibliography, in_submission, in_source, source_changed, source_was, source_restricted, later,
      later_sentence, repeats, pages, to_text, text, match_label, match_changed, match_also, left_out,
      checked, compared_collections, by_policy, owner, file, file_authors, download, download_pdf, print_hint,
      anonymous_title, certificate, certificate_hint, certificate_issued, certificate_text, certificate_file,
      certificate_outcome, certificate_key, certificate_signature, delete_case, delete_warning, store,
      store_hint, store_id, back;
  std::vector<Named> reason_kinds, alert_kinds, scripts, file_alerts, hiding_kinds, exclusions;

  // Which matches a report shows.
  std::string_view shown_matches, shown_source, all_sources, shown_class, all_classes, first_year, last_year,
      hide_quoted, hide_referenced, hide_bibliography, shown_count, use_keys, keys_hint, beside, beside_end,
      source_map, source_map_hint, page_of, page_before, page_after, page_without_matches, page_hint;

  // What persons decide.
  std::string_view decision, decided_sentence, state_sentence, decided_share, state, all_states, proposed,
      decide, remark, decide_hint, decided_hint, history, undo, changed_marks, unknown_person, mark_source,
      mark_passages, whole_source, mark_exclusions, mark_hint, exclusion_hint, as_computed, does_not_count,
      counts, switch_off, switch_on, switch_failed, compare_after_all, save;
  std::vector<Named> states, mark_classes;

  // Links for authors, and what they state.
  std::string_view links, links_hint, link_label, link_last_day, link_until, link_statement, link_sources,
      link_frame, link_frame_hint, link_revoked, revoke_link, make_link, link_shown, link_itself, statements,
      statement, statement_hint, leave_statement;

  // Looking after the server.
  std::string_view server, tasks, task, no_tasks, cancel, refresh, document_count, in_order, outdated,
      rebuild, rebuild_hint, shown_of, backup, backup_hint, drop, drop_hint, all_collections, space, on_disk,
      kept_for_checks, chart, speed, speed_hint, requests, answers, half, nearly_all, millisecond, second;
  std::vector<Named> request_kinds, task_kinds, task_states;

  // Looking around, and comparing.
  std::string_view title_begins, no_documents, more_documents, find_similar, similar, nothing_similar,
      shared_words, shared_sides, no_text, text_begins, compare, compare_texts, first_text, second_text,
      shared_text, nothing_shared, change_hint;
  std::vector<Named> change_kinds;

  // Rules of checks.
  std::string_view rules, rules_intro, rules_hint, rules_changed, changed_settings, setting, as_opened,
      as_stored, as_written, is_on, is_off, unset, new_rules, description, limit_text, limit_source,
      limit_own, never_hint, not_compared, exclude_quotations, exclude_bibliography,
      exclude_referenced_quotations, exclude_unreferenced_quotations, exclude_referenced_passages,
      exclude_own, shortest_passage, store_files, readers, keep_days, keep_days_hint, stand_days,
      stand_days_hint, try_rules, preview_found, preview_hint, preview_changed, would_be, templates,
      templates_intro, in_more_than, propose, proposal, no_proposals, apply;

  // Persons.
  std::string_view persons, no_persons, add_person, person_id, person_id_hint, person_name, roles,
      person_collections, change, person_changed, disabled, disable, enable, new_secret, secret_hint,
      secret_shown, first_secret, remove, remove_hint;
  std::vector<Named> role_names;

  // Access keys of programs.
  std::string_view keys, keys_intro, no_keys, key_label, key_label_hint, scopes, created, expires,
      expires_hint, make_key, key_shown, revoke, revoked;
  std::vector<Named> scope_names;

  // What documents of a collection share with each other.
  std::string_view duplicates, duplicates_intro, look_for, groups, pairs, least_share, least_share_hint, look,
      no_search_yet, groups_found, group, earliest, remove_chosen, more_groups, pairs_found, cohort,
      cohort_intro, hide_names, text_number, pairs_by_share, who_with_whom, graph_hint, no_pairs_shown;
  std::vector<Named> pairs_page;  ///< by the English text of the page of pairs (server/tables/page)

  // Watches of a collection.
  std::string_view watches, watches_intro, no_watches, watched_text, make_watch, watch_document, events,
      no_events, shared_of_watch, passage_count;

  // The audit log.
  std::string_view log, log_intro, verify, verified, broken, no_entries, number_of, time, who, address,
      action, about, details, older_entries;

  /// The text for a name; the name itself if the list lacks it.
  [[nodiscard]] static std::string_view of(const std::vector<Named>& list, std::string_view name);
};

/// All languages; the first is that of a reader who wants none of them.
[[nodiscard]] const std::vector<const Words*>& languages();

/// The language whose tag this is; nothing if there is none.
[[nodiscard]] const Words* words_of(std::string_view tag);
/// The first language that a field Accept-Language names, by the order of its ranges (RFC 9110, 12.5.4; their
/// weights are taken to descend, as browsers send them).
[[nodiscard]] const Words& words_for(std::string_view accept_language);

/// The template with "%1" to "%4" replaced by the arguments.
[[nodiscard]] std::string filled(std::string_view text, const std::vector<std::string>& arguments);
/// 1141 → "1,141", as the language writes it.
[[nodiscard]] std::string number(const Words& words, std::uint64_t value);
/// In megabytes of 10^6 bytes, or kilobytes below one, rounded to a tenth, to one at least if there are any,
/// as the language writes it: "1.3 MB", "128.1 kB".
[[nodiscard]] std::string megabytes(const Words& words, std::uint64_t bytes);
/// .407 → "40.7 %". What is less than .05 %, but not 0, is "<0.1 %"; what is not all is at most "99.9 %".
[[nodiscard]] std::string percent(const Words& words, double share);

}  // namespace akin::desk
