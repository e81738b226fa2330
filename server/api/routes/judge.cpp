// Judging: is one document taken from another? By the criteria of server/judge.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/held_memory.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/judge/document_json.h"
#include "server/judge/judging.h"
#include "server/judge/models.h"
#include "server/judge/number_words.h"
#include "server/judge/stream.h"
#include "server/search/search_plan.h"

namespace akin::api {

namespace {

/// The parameter `model` and the field `models`.
Result<judge::ModelChoice> choice_of(const JsonBody& body) {
  judge::ModelChoice choice;
  if (const Json* given = body.fields.value("models")) {
    AKIN_TRY(choice, judge::model_choice_of(*given));
  }
  choice.otherwise = body.parameters.text("model").value_or("");
  return choice;
}

/// What judges a document, and prepares documents to be compared.
class Judge {
 public:
  static Result<Judge> of(const Call& call, const JsonBody& body, const judge::Document& document,
                          std::shared_ptr<const Dictionary> dictionary) {
    Judge made;
    made.dictionary_ = std::move(dictionary);
    const Parameters& parameters = body.parameters;
    if (const auto rule = parameters.text("rule")) {
      AKIN_TRY(made.judging_.rule, judge::parse_rule(*rule));
    }
    made.judging_.threshold = parameters.share("threshold").value_or(judge::kRuleThreshold);
    AKIN_TRY(const judge::ModelChoice choice, choice_of(body));
    if (!choice.otherwise.empty() || !choice.models.empty()) AKIN_CHECK(refuse_rule(parameters));
    if (const std::string& name = choice.of(document); !name.empty()) {
      AKIN_TRY(const auto models, models_of(call.service));
      AKIN_TRY(made.model_, models->get(name, *made.dictionary_));
      made.judging_.model = made.model_.get();
    }
    made.numbers_ = std::make_unique<judge::NumberWords>(*made.dictionary_);
    made.preparer_ = std::make_unique<judge::Preparer>(*made.dictionary_, *made.numbers_, made.statistics());
    return made;
  }

  [[nodiscard]] Result<judge::JudgedDocument> prepare(const judge::Document& document) {
    return preparer_->prepare(document);
  }

  [[nodiscard]] judge::Finding judge(const judge::JudgedDocument& a, const judge::JudgedDocument& b) const {
    judge::Finding finding;
    finding.criteria = compare(a, b, {});
    finding.judgement = judge_pair(judging_, a.origin, b.origin, finding.criteria);
    return finding;
  }

  /// "model" or "rule", and of a model what is beyond its examples.
  void add_to(Json& object, const judge::CriteriaValues* criteria) const {
    object["model"] = model_ ? Json(model_->name) : Json();
    object["beyond_examples"] = model_ && criteria ? judge::beyond_json(*model_, *criteria) : Json::array();
    object["criteria"] = criteria ? judge::criteria_json(*criteria) : Json();
  }

 private:
  [[nodiscard]] const judge::CollectionStatistics& statistics() const {
    static const judge::CollectionStatistics none;
    return model_ ? model_->statistics : none;
  }

  std::shared_ptr<const Dictionary> dictionary_;
  std::shared_ptr<const judge::Model> model_;
  judge::Judging judging_;
  std::unique_ptr<judge::NumberWords> numbers_;
  std::unique_ptr<judge::Preparer> preparer_;
};

Result<judge::Document> stored_document(const Snapshot& snapshot, const StoredDocument& record) {
  AKIN_TRY(std::string text, snapshot.text(record));
  return judge::document_of(record, std::move(text));
}

/// A document, or {"collection", "id"} of a stored one, whose collection then is `from` unless that is set.
Result<judge::Document> side_of(const Call& call, const Fields& fields, std::string_view name,
                                std::shared_ptr<Collection>& from) {
  const Json* value = fields.value(name);
  if (value == nullptr) {
    return Error{Errc::invalid_argument, "field " + in_quotes(name), "is missing",
                 R"(give a document with its "text", or {"collection", "id"} of a stored one)"};
  }
  if (!value->is_object() || !value->contains("collection")) return judge::document_of(*value);
  AKIN_TRY(const Fields stored, Fields::read(*value, {"collection", "id"}, "field " + in_quotes(name)));
  AKIN_TRY(const std::string_view collection_name, stored.required_string("collection"));
  AKIN_TRY(const std::string_view id, stored.required_string("id"));
  AKIN_TRY(const auto collection, open_collection(call, collection_name));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const auto record, snapshot->find(std::string(id)));
  if (!record) return no_document(*collection, id);
  if (from == nullptr) from = collection;
  return stored_document(*snapshot, *record);
}

Json answer_object(const judge::Judgement& judgement) {
  return {{"answer", answer_name(judgement.classification)}, {"score", score_json(judgement)}};
}

}  // namespace

Result<Response> judge_pair(const Call& call) {
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {"a", "b", "models"}));
  std::shared_ptr<Collection> from;
  AKIN_TRY(const judge::Document a, side_of(call, body.fields, "a", from));
  AKIN_TRY(const judge::Document b, side_of(call, body.fields, "b", from));
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * (a.text.size() + b.text.size())));
  AKIN_TRY(auto dictionary, dictionary_of(call, from.get()));
  AKIN_TRY(Judge judge, Judge::of(call, body, a, std::move(dictionary)));
  AKIN_TRY(const judge::JudgedDocument first, judge.prepare(a));
  AKIN_TRY(const judge::JudgedDocument second, judge.prepare(b));
  const judge::Finding finding = judge.judge(first, second);
  Json object = answer_object(finding.judgement);
  judge.add_to(object, &finding.criteria);
  return json_response(200, object);
}

Result<Response> judge_document(const Call& call) {
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {"document", "models"}));
  AKIN_TRY(const auto collection, open_collection(call));
  const Json* given = body.fields.value("document");
  if (given == nullptr) {
    return Error{Errc::invalid_argument, "field 'document'", "is missing",
                 "give a document with its \"text\""};
  }
  AKIN_TRY(const judge::Document document, judge::document_of(*given));
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * document.text.size()));
  AKIN_TRY(Judge judge, Judge::of(call, body, document, collection->shared_dictionary()));
  Question question;
  question.text = document.text;
  question.limit = *body.parameters.integer("candidates");
  question.evidence = Evidence::none;
  question.accept = [&document](const DocumentRecord& one) -> Result<bool> { return one.id != document.id; };
  AKIN_TRY(const Found found, search(*collection, question));
  AKIN_TRY(const judge::JudgedDocument prepared, judge.prepare(document));
  std::optional<judge::Finding> best;
  for (const Hit& hit : found.result.hits) {
    AKIN_TRY(const judge::Document candidate, stored_document(*found.snapshot, hit.document));
    AKIN_TRY(const HeldMemory more, HeldMemory::take(kTextWork * candidate.text.size()));
    AKIN_TRY(const judge::JudgedDocument other, judge.prepare(candidate));
    judge::Finding finding = judge.judge(prepared, other);
    finding.original = hit.document.id;
    if (!best || finding.judgement.probability > best->judgement.probability) best = std::move(finding);
  }
  Json object = answer_object(best ? best->judgement : judge::Judgement{0, judge::Classification::no});
  const bool is_new = !best || best->judgement.classification == judge::Classification::no;
  object["original"] = is_new ? Json() : Json(best->original);
  object["nearest"] = best ? Json(best->original) : Json();
  object["compared"] = found.result.hits.size();
  judge.add_to(object, best ? &best->criteria : nullptr);
  return json_response(200, object);
}

}  // namespace akin::api
