#include "server/ingest/notebook.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "server/json/json.h"

namespace akin::ingest {

namespace {

/// Collects strings by the keys that they are under.
class CellReader : public nlohmann::json_sax<json::Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const json::Json::exception&) override { return false; }

  bool key(string_t& name) override {
    key_ = name;
    if (open_.size() == 1) is_notebook_ = is_notebook_ || name == "nbformat";
    return true;
  }

  bool string(string_t& value) override {
    // A source is a string, or an array of its lines.
    const bool in_array = !open_.empty() && is_shown(open_.back());
    if (in_cell() && (in_array || is_shown(key_)) && !value.starts_with("<IPython.")) part_ += value;
    if (!in_array) end_part();
    return true;
  }

  [[nodiscard]] bool is_notebook() const noexcept { return is_notebook_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  static bool is_shown(std::string_view key) {
    return key == "source" || key == "input" || key == "text" || key == "text/plain" ||
           key == "text/markdown";
  }

  /// Within the cells of the notebook, but not in their properties or attached files.
  [[nodiscard]] bool in_cell() const noexcept { return cells_from_ != 0 && beside_from_ == 0; }

  bool open() {
    open_.push_back(std::exchange(key_, {}));
    const std::string& name = open_.back();
    if (cells_from_ == 0 && name == "cells") cells_from_ = open_.size();
    if (beside_from_ == 0 && (name == "metadata" || name == "attachments")) beside_from_ = open_.size();
    return true;
  }

  bool close() {
    if (!open_.empty() && is_shown(open_.back())) end_part();
    if (open_.size() == cells_from_) cells_from_ = 0;
    if (open_.size() == beside_from_) beside_from_ = 0;
    if (!open_.empty()) open_.pop_back();
    key_.clear();
    return true;
  }

  void end_part() {
    const std::string_view part = trimmed(part_, "\n");
    if (!part.empty()) (text_ += text_.empty() ? "" : "\n\n") += part;
    part_.clear();
    key_.clear();
  }

  std::string key_, part_, text_;
  std::vector<std::string> open_;  ///< objects and arrays: the keys that they are under
  std::size_t cells_from_ = 0, beside_from_ = 0;
  bool is_notebook_ = false;
};

}  // namespace

std::optional<std::string> text_of_notebook(std::string_view utf8) {
  const auto has = [&](std::string_view key) { return utf8.find(key) != std::string_view::npos; };
  if (!trimmed(utf8, " \t\r\n").starts_with('{') || !has("\"nbformat\"") || !has("\"cells\""))
    return std::nullopt;
  CellReader reader;
  const bool read = json::Json::sax_parse(utf8, &reader);
  std::string text = reader.take();
  if (!read || !reader.is_notebook() || text.empty()) return std::nullopt;
  return text;
}

}  // namespace akin::ingest
