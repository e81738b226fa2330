#include "server/api/routes/outcome_lines.h"

#include "morph/words/has_word.h"
#include "server/api/write/objects.h"

namespace akin::api {

void OutcomeLines::stored(Json& line, const OwnedDocument& document, const PutResult& result) {
  ++(result.replaced ? tally_.replaced : tally_.created);
  if (!has_word(document.text)) ++tally_.no_words;
  tally_.bytes += document.text.size();
  line["status"] = result.replaced ? "replaced" : "created";
}

void OutcomeLines::deleted(Json& line) {
  ++tally_.deleted;
  line["status"] = "deleted";
}

void OutcomeLines::unchanged(Json& line) {
  ++tally_.unchanged;
  line["status"] = "unchanged";
}

void OutcomeLines::failed(Json& line, const Error& error) {
  ++tally_.errors;
  line["status"] = "error";
  line["error"] = error_object(error);
  constexpr int kServerErrors = 500;
  const int status = problem_kinds()[static_cast<std::size_t>(error.code)].status;
  if (status >= kServerErrors && ++troubles_ == 1) first_trouble_ = error.message();
}

Result<void> OutcomeLines::summary(const Json& entry) {
  if (failure_) return *failure_;
  if (troubles_ == 1) sink_.trouble("1 document failed: " + first_trouble_);
  if (troubles_ > 1)
    sink_.trouble(std::to_string(troubles_) + " documents failed, the first: " + first_trouble_);
  return sink_.write(Json{{"summary", entry}}.dump() + "\n");
}

}  // namespace akin::api
