#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "extract/child/office/relations.h"
#include "extract/child/readers.h"

namespace akin::extract {

namespace {

/// The name of the first element.
class RootHandler : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes&) override {
    if (name_.empty()) name_ = name;
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}
  [[nodiscard]] bool done() const override { return !name_.empty(); }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  std::string name_;
};

}  // namespace

bool is_docx(const Archive& archive) {
  // ECMA-376-1, 11.3.10, and Word's own types of the same part with macros.
  constexpr std::array<std::string_view, 4> kMainTypes = {
      "wordprocessingml.document.main+xml", "wordprocessingml.template.main+xml",
      "ms-word.document.macroEnabled.main+xml", "ms-word.template.macroEnabledTemplate.main+xml"};
  if (const std::string* types = archive.find("[Content_Types].xml")) {
    const auto lists = [&](std::string_view type) { return types->find(type) != std::string::npos; };
    if (std::ranges::any_of(kMainTypes, lists)) return true;
  }
  const std::string* relations = archive.find("_rels/.rels");
  RelationsHandler package("");
  if (relations == nullptr || read_xml(*relations, "_rels/.rels", package).has_error()) return false;
  const std::string member = package.of_type("/officeDocument");
  const std::string* main = archive.find(member);
  RootHandler root;
  return main != nullptr && (read_xml(*main, member, root).has_value() || root.done()) &&
         root.name() == "document";
}

}  // namespace akin::extract
