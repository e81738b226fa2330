#include "extract/formats/claimed_type.h"

#include <utility>

#include "base/utf8.h"
#include "extract/filter.h"
#include "extract/text_layout.h"

namespace akin::extract {

void check_claim(Document& document, std::string_view claimed, std::string_view written) {
  if (claimed.empty() || claimed == document.type || document.type == kFilteredType) return;
  if (claimed == "doc" && document.type == "rtf") return;  // Word itself saves RTF under .doc
  FileAlert alert;
  alert.kind = FileAlertKind::type_contradicted;
  alert.characters = count_code_points(document.text);
  if (alert.characters == 0) return;  // nothing is compared, so nothing is disguised
  alert.share = 1;
  alert.sample = whole_characters(written, kSampleBytes);
  document.alerts.push_back(std::move(alert));
}

}  // namespace akin::extract
