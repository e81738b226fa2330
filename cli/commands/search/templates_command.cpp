#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/commands/common/declared_flags.h"
#include "cli/frame/format.h"
#include "server/api/write/check_objects.h"
#include "server/check/policies.h"
#include "server/check/proposals.h"

namespace akin::cli {

namespace {

constexpr const char* kTemplatesExamples =
    "  akin templates --collection theses                     passages that more than 20 documents have\n"
    "  akin templates --more-than 100\n"
    "  akin templates --policy theses --accept 1,3            checks by this policy leave these out\n"
    "\n"
    "Nothing is left out before it is accepted. What the policy has as templates is not proposed again.";

struct TemplatesOptions {
  DeclaredFlags flags;
  std::string accept;
};

/// The proposals with these numbers, from 1.
Result<std::vector<check::ProposedTemplate>> chosen(const std::vector<check::ProposedTemplate>& proposals,
                                                    std::string_view numbers) {
  std::vector<check::ProposedTemplate> list;
  for (const std::string_view text : split(numbers, ',')) {
    std::size_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = failure == std::errc() && end == text.data() + text.size();
    if (!is_number || number == 0 || number > proposals.size()) {
      return Error{Errc::invalid_argument, "--accept",
                   "'" + std::string(text) + "' is not the number of a proposal",
                   "without --accept, akin templates lists and numbers them"};
    }
    list.push_back(proposals[number - 1]);
  }
  return list;
}

Result<Exit> run_templates(const TemplatesOptions& options, Session& session) {
  AKIN_TRY(const api::Parameters parameters, options.flags.read());
  const std::string policy_name(parameters.text("policy").value_or(check::kDefaultPolicy));
  if (!options.accept.empty() && !parameters.text("policy")) {
    return Error{Errc::invalid_argument, "--accept", "no policy is named",
                 "name the policy that gets the templates with --policy"};
  }
  const auto dictionaries = open_dictionaries(session.options);
  AKIN_TRY(const auto catalog, open_catalog(session.options, false, dictionaries));
  AKIN_TRY(const auto collection, collection_of(session.options, *catalog));
  AKIN_CHECK(check_flags(session.options, *dictionaries, *collection));
  const bool names_policy = parameters.text("policy").has_value();
  AKIN_TRY(const auto state, names_policy ? open_state(session.options) : find_state(session.options));
  check::Policy policy;
  if (state) {
    AKIN_TRY(policy, check::Policies(state).get(policy_name));
  }
  check::ProposalRequest request{.more_than = *parameters.integer("more_than"),
                                 .least_words = policy.min_passage_words,
                                 .limit = *parameters.integer("limit")};
  AKIN_TRY(request.accepted, check::template_texts(*catalog, policy));
  AKIN_TRY(auto proposals, check::propose_templates(*collection, request));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  TextReadings readings(state, catalog);
  for (const check::ProposedTemplate& one : proposals) {
    AKIN_TRY(const auto record, snapshot->find(one.id));
    if (record) AKIN_CHECK(readings.note(collection->name(), *record));
  }
  if (!options.accept.empty()) {
    AKIN_TRY(proposals, chosen(proposals, options.accept));
    const auto accept = [&](check::Policy now) -> Result<check::Policy> {
      for (const check::ProposedTemplate& one : proposals) {
        AKIN_TRY(now, check::with_template(now, one.text));
      }
      policy = now;
      return now;
    };
    AKIN_CHECK(check::Policies(state).change(policy_name, accept, actor_of_command()));
  }
  if (session.options.json) {
    session.out << api::proposals_object(request.more_than, proposals).dump() << "\n";
    return Exit::ok;
  }
  if (!options.accept.empty()) {
    session.out << "policy '" << policy_name << "' has "
                << counted(policy.exclude.templates.size(), "template") << "\n";
    return Exit::ok;
  }
  constexpr std::size_t kShown = 300;
  std::size_t number = 0;
  for (const check::ProposedTemplate& one : proposals) {
    session.out << grouped(++number) << ". " << counted(one.words, "word") << " in "
                << counted(one.documents, "document") << ", first " << one_line(one.id, kMaxIdBytes) << " "
                << range(one.range) << "\n   " << one_line(one.text, kShown) << "\n";
  }
  if (proposals.empty())
    session.out << "no passage is in more than " << counted(request.more_than, "document") << "\n";
  return Exit::ok;
}

}  // namespace

void add_templates_command(Program& program) {
  Command command = program.command(
      "templates", "Propose passages that many documents have as templates of a policy", kTemplatesExamples);
  auto options = std::make_shared<TemplatesOptions>();
  options->flags.add(command, "propose_templates", {"more_than", "policy", "limit"});
  command
      .add_option("--accept", options->accept,
                  "Numbers of proposals, separated by commas, that become templates of the policy")
      .type_name("LIST");
  program.on(command, [options](Session& session) { return run_templates(*options, session); });
}

}  // namespace akin::cli
