#include "morph/words/scanner.h"

#include <optional>

#include "base/waiting.h"
#include "morph/normalize/arrangement.h"
#include "morph/words/stretch_scan.h"
#include "morph/words/text_check.h"

namespace akin {

Result<ScanSummary> scan_text(std::string_view utf8, const Dictionary& dictionary, SentenceSink& sink) {
  AKIN_CHECK(check_text(utf8));
  const std::optional<Arrangement> arrangement = Arrangement::of(utf8);
  if (!arrangement) {
    ScanSummary summary = scan_stretch(utf8, dictionary, sink);
    AKIN_CHECK(check_work());
    return summary;
  }
  OriginalPlaces places(arrangement, {}, sink);
  ScanSummary summary = scan_stretch(arrangement->text(), dictionary, places);
  AKIN_CHECK(check_work());
  summary.code_points = arrangement->original_code_points();
  Arrangement::Places alert_places(*arrangement);
  for (Alert& alert : summary.alerts) alert.range = alert_places.original(alert.range);
  return summary;
}

}  // namespace akin
