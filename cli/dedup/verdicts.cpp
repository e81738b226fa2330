#include "cli/dedup/verdicts.h"

namespace akin::dedup {

std::string_view reason_name(Reason reason) noexcept {
  switch (reason) {
    case Reason::equal:
      return "equal text";
    case Reason::features:
      return "features";
    case Reason::words:
      return "words";
    case Reason::none:
      break;
  }
  return "";
}

Verdict verdict_of(std::uint32_t document, const Corpus& corpus, const Selection& selection) {
  const TextNumber text = corpus.text_of(document);
  if (selection.fate(text) == Fate::dropped) {
    const Cover& cover = selection.cover(text);
    return {cover.aligned ? Reason::words : Reason::features, corpus.best_of(cover.by), cover.share};
  }
  const std::uint32_t best = corpus.best_of(text);
  return {best == document ? Reason::none : Reason::equal, best, 1.0};
}

Tally count(const Corpus& corpus, const std::vector<Verdict>& verdicts) {
  Tally tally;
  for (std::size_t document = corpus.known(); document < corpus.size(); ++document) {
    const Verdict& verdict = verdicts[document];
    ++tally.read;
    tally.words_read += corpus.words(document);
    if (verdict.is_kept()) {
      ++tally.kept;
      tally.words_kept += corpus.words(document);
    } else {
      ++(verdict.reason == Reason::equal ? tally.equal : tally.near);
    }
  }
  return tally;
}

}  // namespace akin::dedup
