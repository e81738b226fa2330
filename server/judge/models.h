// The models in the server's state, each read and checked once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/judge/model.h"
#include "server/state/state.h"

namespace akin::judge {

/// Error: invalid_argument if it is not a model's name (is_model_name).
[[nodiscard]] Result<void> check_model_name(const std::string& name);

/// Any number of threads. All members may also return the errors of the state, and of read_model.
class Models {
 public:
  explicit Models(std::shared_ptr<state::State> state) : state_(std::move(state)) {}

  /// The model with this name, which it gets as Model::name. Errors: not_found; mismatch (trained with other
  /// dictionaries).
  [[nodiscard]] Result<std::shared_ptr<const Model>> get(const std::string& name,
                                                         const Dictionary& dictionary);
  /// The same, whatever it was trained with.
  [[nodiscard]] Result<std::shared_ptr<const Model>> find(const std::string& name);
  /// The names, ascending.
  [[nodiscard]] Result<std::vector<std::string>> names() const;
  /// What model_text has made. Error: not_found.
  [[nodiscard]] Result<std::string> text(const std::string& name) const;
  /// Stores what model_text has made, under this name; returns whether the name is new. Errors:
  /// invalid_argument (not a name, not a model), mismatch (trained with other dictionaries of the languages
  /// that `dictionary` has; those of others are for collections that have them).
  [[nodiscard]] Result<bool> put(const std::string& name, std::string_view text, const Dictionary& dictionary,
                                 std::string_view languages);
  /// Returns whether it existed.
  [[nodiscard]] Result<bool> erase(const std::string& name);

 private:
  /// The last texts that were read, and their models.
  struct Read {
    std::string text;
    std::shared_ptr<const Model> model;
  };
  static constexpr std::size_t kMostRead = 16;

  const std::shared_ptr<state::State> state_;
  std::mutex mutex_;  // guards `read_`
  std::map<std::string, Read> read_;
};

}  // namespace akin::judge
