#include "extract/child/office/properties.h"

namespace akin::extract {

void PropertiesHandler::start(std::string_view, const XmlAttributes&) { value_.clear(); }

void PropertiesHandler::end(std::string_view name) {
  const auto set = [this](std::string& field) {
    if (field.empty()) field = value_;
  };
  const auto add = [this](std::vector<std::string>& list) {
    if (list.size() < kMostParts) list.push_back(value_);
  };
  if (name == "title") set(into_.title);
  if (name == "language") set(into_.language);
  if (name == "date" || name == "created" || name == "creation-date") set(into_.date);
  if (name == "identifier") add(into_.identifiers);
  if (name == "creator" || name == "initial-creator") add(into_.authors);
  value_.clear();
}

void read_properties(const Archive& archive, const std::string& member, DocumentBuilder& builder) {
  const std::string* found = archive.find(member);
  if (found == nullptr || found->empty()) return;
  PropertiesHandler properties(builder.metadata());
  if (read_xml(*found, member, properties).has_error())
    builder.report(FileAlertKind::part_missing, 1, member);
}

}  // namespace akin::extract
