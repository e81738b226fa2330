#include "server/judge/stream.h"

#include <memory>
#include <utility>

namespace akin::judge {

Result<CandidateRule> candidate_rule_of(std::string_view name, bool by_rule, Rule rule) {
  if (!name.empty()) return parse_candidate_rule(name);
  return by_rule && rule == Rule::sentences ? CandidateRule::sentences : CandidateRule::both;
}

StreamJudge::StreamJudge(std::span<const Model> models, const StreamOptions& options)
    : models_(models), rule_(options.rule), threshold_(options.threshold), window_(options.window) {}

void StreamJudge::judge(const JudgedDocument& document, std::int64_t time, const WindowEntry& candidate,
                        std::vector<Finding>& findings) const {
  const bool is_earlier = time < candidate.time;
  const JudgedDocument& later = is_earlier ? candidate.document : document;
  const JudgedDocument& earlier = is_earlier ? document : candidate.document;
  CriteriaValues values = compare(later, earlier, {});
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Judging judging{models_.empty() ? nullptr : &models_[i], rule_, threshold_};
    const Judgement judgement = judge_pair(judging, later.origin, earlier.origin, values);
    Finding& best = findings[i];
    const bool better = best.original.empty() || judgement.probability > best.judgement.probability;
    if (better) best = {candidate.id, judgement, values};
  }
}

void StreamJudge::restore(std::string id, std::int64_t time, JudgedDocument document, const Story& story) {
  window_.advance(time);
  if (const auto same = window_.find(id)) window_.remove(*same);
  std::weak_ptr<Story>& known = restored_[story.group];
  std::shared_ptr<Story> shared = known.lock();
  if (shared == nullptr) {
    known = shared = std::make_shared<Story>(story);
  } else if (story.first_time < shared->first_time) {
    *shared = story;
  }
  window_.insert({std::move(id), time, std::move(shared), std::move(document)});
}

StreamAnswer StreamJudge::take(std::string id, std::int64_t time, JudgedDocument document,
                               std::optional<std::size_t> model) {
  restored_.clear();
  StreamAnswer answer;
  answer.by_choice = model.has_value();
  answer.chosen = model.value_or(0);
  answer.id = id;
  window_.advance(time);
  if (const auto same = window_.find(id)) {
    window_.remove(*same);
    answer.replaced = true;
  }
  answer.findings.resize(models_.empty() ? 1 : models_.size());
  const Candidates candidates = window_.candidates(document);
  answer.generated = candidates.generated;
  answer.cut_features = candidates.cut_features;
  for (const std::uint64_t number : candidates.best) {
    judge(document, time, window_[number], answer.findings);
    ++answer.compared;
  }
  const Finding& decisive = answer.decisive();
  const std::string& source = document.origin.source;
  const bool has_time = document.time.has_value();
  std::shared_ptr<Story> story;
  if (decisive.judgement.classification != Classification::yes) {
    story = std::make_shared<Story>(Story{id, id, time, has_time, source});
  } else {
    story = window_[*window_.find(decisive.original)].story;
    if (time < story->first_time) {
      if (story->first != id) answer.corrects = story->first;
      *story = {story->group, id, time, has_time, source};
    }
  }
  answer.story = *story;
  window_.insert({std::move(id), time, std::move(story), std::move(document)});
  return answer;
}

}  // namespace akin::judge
