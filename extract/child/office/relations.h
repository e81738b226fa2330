// The files in which a package of Office Open XML says how its parts belong together (ECMA-376-2, 9.3).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/child/archive.h"
#include "extract/child/xml.h"

namespace akin::extract {

/// The relations of a member to others: what it consists of (ECMA-376, part 2).
class RelationsHandler : public XmlHandler {
 public:
  struct Relation {
    std::string id, type, target;
  };

  explicit RelationsHandler(std::string folder) : folder_(std::move(folder)) {}
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name != "Relationship" || attributes.get("TargetMode") == "External") return;
    relations_.push_back({std::string(attributes.get("Id")), std::string(attributes.get("Type")),
                          member_of(folder_, attributes.get("Target"))});
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}

  /// The member of the first relation whose type ends so; empty without one.
  [[nodiscard]] std::string of_type(std::string_view end) const {
    const auto found =
        std::ranges::find_if(relations_, [&](const Relation& one) { return one.type.ends_with(end); });
    return found == relations_.end() ? std::string() : found->target;
  }
  [[nodiscard]] std::vector<std::string> all_of_type(std::string_view end) const {
    std::vector<std::string> members;
    for (const Relation& one : relations_)
      if (one.type.ends_with(end)) members.push_back(one.target);
    return members;
  }
  /// The member of the relation of that name; empty without one.
  [[nodiscard]] std::string of_id(std::string_view id) const {
    const auto found = std::ranges::find(relations_, id, &Relation::id);
    return found == relations_.end() ? std::string() : found->target;
  }

 private:
  std::string folder_;
  std::vector<Relation> relations_;
};

}  // namespace akin::extract
