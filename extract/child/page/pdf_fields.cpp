#include "extract/child/page/pdf_fields.h"

#include <Annot.h>
#include <Form.h>
#include <Page.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "base/ascii.h"
#include "extract/child/page/pdf_text.h"

namespace akin::extract {

namespace {

std::string without_blanks(std::string_view text) {
  std::string letters(text);
  std::erase_if(letters, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return letters;
}

/// Whether `outside`, without blanks, has the end of the text.
bool runs_out(std::string_view text, std::string_view outside) {
  constexpr std::size_t kEnd = 20;
  const std::string letters = without_blanks(text);
  const std::string_view end =
      std::string_view(letters).substr(letters.size() - std::min(letters.size(), kEnd));
  return !end.empty() && outside.find(end) != std::string_view::npos;
}

/// A field's text; poppler knows none that is a stream.
std::string content_of(FormWidget& widget) {
  const auto& text = static_cast<const FormWidgetText&>(widget);
  if (text.isPassword()) return {};
  if (text.getContent() != nullptr) return text_of(*text.getContent());
  const Object* const field = widget.getField()->getObj();
  const Object value = field->isDict() ? field->dictLookup("V") : Object(objNull);
  if (!value.isStream()) return {};
  GooString content;
  value.getStream()->fillGooString(&content);
  return text_of(content);
}

}  // namespace

TextFields::TextFields(::Page& page, const std::string& text_outside) {
  if (text_outside.empty()) return;
  const std::string outside = without_blanks(text_outside);
  const std::unique_ptr<FormPageWidgets> widgets = page.getFormWidgets();
  for (int i = 0; widgets != nullptr && i < widgets->getNumWidgets(); ++i) {
    FormWidget* const widget = widgets->getWidget(i);
    if (widget == nullptr || widget->getType() != formText) continue;
    const ::Annot* const drawn = widget->getWidgetAnnotation();
    std::string text = drawn == nullptr ? std::string() : content_of(*widget);
    if (runs_out(text, outside)) fields_.emplace_back(drawn, std::move(text));
  }
}

void TextFields::add_lines(PdfPage& page) const {
  constexpr double kSize = 10, kLead = 12;
  std::uint32_t block = page.lines.empty() ? 0 : page.lines.back().block + 1;
  for (const auto& [drawn, text] : fields_) {
    for (std::string_view rest = text; !rest.empty(); ++block) {
      const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
      PdfLine line;
      line.text = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.text.empty()) continue;
      line.right = page.width;
      line.top = page.height / 2;
      line.bottom = line.top + kLead;
      line.size = line.first_size = kSize;
      line.block = block;
      page.lines.push_back(std::move(line));
    }
  }
}

bool TextFields::is_other(::Annot* annotation, void* fields) {
  return std::ranges::none_of(static_cast<const TextFields*>(fields)->fields_,
                              [&](const auto& one) { return one.first == annotation; });
}

}  // namespace akin::extract
