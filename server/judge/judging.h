// How one pair is judged, by a model or by a rule, and how the answer looks as JSON.
#pragma once

#include <map>
#include <string>

#include "server/json/json.h"
#include "server/judge/criteria.h"
#include "server/judge/model.h"
#include "server/judge/rule.h"

namespace akin::judge {

/// What judges. The model must outlive it.
struct Judging {
  const Model* model = nullptr;  ///< null: the rule
  Rule rule = Rule::event;
  double threshold = kRuleThreshold;  ///< from this score on, the rule says yes
};

/// Judges A, which may be taken from B, by the criteria of the two; sets Criterion::authority by what the
/// model learnt of their sources.
[[nodiscard]] Judgement judge_pair(const Judging& judging, const Origin& a, const Origin& b,
                                   CriteriaValues& values);

/// "duplicate", "undecided" or "new"
[[nodiscard]] const char* answer_name(Classification classification) noexcept;

/// {"words": 0.9, …}: rounded to four digits, null where undefined.
[[nodiscard]] json::Json criteria_json(const CriteriaValues& values);
/// The names of the criteria that are beyond what the model's examples had (Scaling::beyond).
[[nodiscard]] json::Json beyond_json(const Model& model, const CriteriaValues& values);
[[nodiscard]] json::Json score_json(const Judgement& judgement);

/// Which model judges a document: that of its source, or of another string of its metadata, or else the
/// default.
struct ModelChoice {
  std::string field = "source";                            ///< "source" is Document::source
  std::map<std::string, std::string, std::less<>> models;  ///< the names of models by the value of the field
  std::string otherwise;                                   ///< the name for all other documents

  [[nodiscard]] const std::string& of(const Document& document) const;
};

/// {"field": "site", "of": {"The Valley Post": "valley"}}, without a default. Error: invalid_argument.
[[nodiscard]] Result<ModelChoice> model_choice_of(const json::Json& given);

}  // namespace akin::judge
