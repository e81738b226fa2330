#include "extract/child/office/docx_numbering.h"

#include "extract/child/office/docx_look.h"
#include "extract/child/office/list_labels.h"

namespace akin::extract {

namespace {

/// A label without its numbers: "%1.%2." has none.
std::string without_numbers(std::string_view written) {
  std::string label;
  for (std::size_t at = 0; at < written.size(); ++at) {
    const bool number =
        written[at] == '%' && at + 1 < written.size() && written[at + 1] >= '1' && written[at + 1] <= '9';
    if (number) {
      ++at;
    } else {
      append_flat(label, written.substr(at, 1));
    }
  }
  return text_of_label(label);
}

}  // namespace

void DocxNumbering::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "abstractNum") definition_ = attributes.get("abstractNumId");
  if (name == "num") list_ = attributes.get("numId");
  if (name == "abstractNumId" && !list_.empty()) definitions_[list_] = attributes.get("val");
  if (name == "styleLink") of_style_[std::string(attributes.get("val"))] = definition_;
  if (name == "numStyleLink") styles_[definition_] = attributes.get("val");
  if (name == "lvl") level_ = attributes.get("ilvl");
  if (level_.empty()) return;
  Labels& labels = list_.empty() ? defined_ : overridden_;
  DocxLabel& label = labels[{list_.empty() ? definition_ : list_, level_}];
  if (name == "lvlText") {
    label.text = without_numbers(attributes.get("val"));
  } else {
    take_property(label.look, name, attributes, theme_);
  }
}

void DocxNumbering::end(std::string_view name) {
  if (name == "lvl") level_.clear();
  if (name == "num") list_.clear();
}

const DocxLabel* DocxNumbering::find(const Labels& labels, std::string_view of, std::string_view level) {
  const auto found = labels.find(std::pair(std::string(of), std::string(level)));
  return found == labels.end() ? nullptr : &found->second;
}

const DocxLabel* DocxNumbering::label(std::string_view list, std::string_view level) const {
  if (const DocxLabel* own = find(overridden_, list, level)) return own;
  const auto definition = definitions_.find(list);
  if (definition == definitions_.end()) return nullptr;
  if (const auto style = styles_.find(definition->second); style != styles_.end())
    if (const auto other = of_style_.find(style->second); other != of_style_.end())
      return find(defined_, other->second, level);
  return find(defined_, definition->second, level);
}

}  // namespace akin::extract
