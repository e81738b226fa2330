#include "cli/commands/common/declared_flags.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.h"

namespace akin::cli {

namespace {

using api::DeclaredParameter;
using api::ParameterKind;

std::string word_for(const DeclaredParameter& parameter) {
  if (parameter.kind == ParameterKind::integer) return "N";
  if (parameter.kind == ParameterKind::share) return "SHARE";
  if (parameter.kind == ParameterKind::list) return "LIST";
  std::string word(parameter.name);
  for (char& c : word) c = c == '_' ? '-' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return word;
}

}  // namespace

void DeclaredFlags::add(Command command, std::string_view operation,
                        std::initializer_list<std::string_view> names) {
  const auto all = api::parameters_of(operation);
  declared_.assign(all.begin(), all.end());
  for (const std::string_view name : names) {
    DeclaredParameter& parameter = *std::ranges::find(declared_, name, &DeclaredParameter::name);
    // A page of the server is bounded for its sake; who runs the program may have more.
    if (name == "limit") parameter.most = std::numeric_limits<std::uint64_t>::max();
    std::string flag = "--" + std::string(name), meaning(parameter.meaning);
    std::ranges::replace(flag, '_', '-');
    std::erase(meaning, '`');
    Option option = command.add_option(flag, values_.emplace_back(name, std::nullopt).second, meaning);
    option.type_name(word_for(parameter)).default_str(std::string(parameter.absent));
    if (parameter.kind == ParameterKind::word) {
      const auto words = split(parameter.words, ',');
      option.one_of({words.begin(), words.end()});
    }
    option.check([parameter](const std::string& text) {
      return parameter.accepts(text) ? "" : "'" + text + "' is not " + parameter.expected();
    });
  }
}

Result<api::Parameters> DeclaredFlags::read() const {
  std::vector<api::Parameter> given;
  for (const auto& [name, value] : values_) {
    if (value) given.push_back({std::string(name), *value, "flag"});
  }
  return api::Parameters::read(std::move(given), declared_);
}

bool DeclaredFlags::has(std::string_view name) const {
  return std::ranges::any_of(values_, [&](const auto& one) { return one.first == name && one.second; });
}

}  // namespace akin::cli
