#include "server/judge/models.h"

#include <limits>
#include <utility>

#include "index/collection/dictionaries.h"

namespace akin::judge {

namespace {

constexpr auto kTable = state::Table::models;

std::string place_of(const std::string& name) { return "model '" + name + "'"; }

/// read_model itself says that it is a model.
Result<Model> read_named(std::string_view text, const std::string& name) {
  AKIN_TRY(Model model, read_model(text, "'" + name + "'"));
  model.name = name;
  return model;
}

}  // namespace

Result<void> check_model_name(const std::string& name) {
  if (is_model_name(name)) return {};
  return Error{Errc::invalid_argument, place_of(name), "cannot be a model's name",
               "give letters, digits, '-', '_' and '.', at most 64, not beginning with a point"};
}

Result<std::string> Models::text(const std::string& name) const {
  AKIN_CHECK(check_model_name(name));
  AKIN_TRY(std::optional<std::string> text, state_->get(kTable, name));
  if (text) return *std::move(text);
  return Error{Errc::not_found, place_of(name), "is not stored",
               "train it by akin-lab train, or send it by PUT /v1/models/" + name};
}

Result<std::shared_ptr<const Model>> Models::find(const std::string& name) {
  AKIN_TRY(std::string text, this->text(name));
  {
    const std::scoped_lock lock(mutex_);
    const auto found = read_.find(name);
    if (found != read_.end() && found->second.text == text) return found->second.model;
  }
  AKIN_TRY(Model model, read_named(text, name));
  auto shared = std::make_shared<const Model>(std::move(model));
  const std::scoped_lock lock(mutex_);
  if (read_.size() == kMostRead) read_.clear();
  read_.insert_or_assign(name, Read{std::move(text), shared});
  return shared;
}

Result<std::shared_ptr<const Model>> Models::get(const std::string& name, const Dictionary& dictionary) {
  AKIN_TRY(auto model, find(name));
  AKIN_CHECK(check_dictionary(*model, dictionary));
  return model;
}

Result<std::vector<std::string>> Models::names() const {
  AKIN_TRY(const auto entries, state_->list(kTable, "", "", std::numeric_limits<std::size_t>::max()));
  std::vector<std::string> names;
  for (const state::Entry& entry : entries) names.push_back(entry.key);
  return names;
}

Result<bool> Models::put(const std::string& name, std::string_view text, const Dictionary& dictionary,
                         std::string_view languages) {
  AKIN_CHECK(check_model_name(name));
  Result<Model> model = read_named(text, name);
  if (model.has_error()) {
    Error error = std::move(model).error();
    if (error.code == Errc::corrupt) error.code = Errc::invalid_argument;  // what is stored is not damaged
    return error;
  }
  if (same_languages(model->languages, languages)) AKIN_CHECK(check_dictionary(*model, dictionary));
  AKIN_TRY(const auto before, state_->get(kTable, name));
  AKIN_CHECK(state_->put(kTable, name, model_text(*model)));
  return !before.has_value();
}

Result<bool> Models::erase(const std::string& name) {
  AKIN_CHECK(check_model_name(name));
  return state_->erase(kTable, name);
}

}  // namespace akin::judge
