#include "cli/commands/stream/judge_files.h"

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "cli/frame/file_line_reader.h"
#include "cli/frame/line_writer.h"
#include "server/ingest/input.h"
#include "server/judge/document_json.h"

namespace akin::cli {

namespace {

using judge::Document;
using judge::LabelledLine;
using judge::LabelledPair;
using judge::TableReader;

/// What to do with each line of a file: a line of JSON, or a row of the table.
struct LineTakers {
  std::function<Result<void>(const std::string& line)> json;
  std::function<Result<void>(const TableReader& table, const std::string& row)> row;
};

Error placed(Error error, const std::string& name, std::uint64_t line) {
  error.what = name + " line " + std::to_string(line) + ": " + error.what;
  return error;
}

Result<void> read_lines(const std::filesystem::path& file, const LineTakers& take) {
  const std::string name = ingest::display_name(file);
  AKIN_TRY(const auto lines, FileLineReader::open(file));
  std::optional<TableReader> table;
  for (bool first = true;; first = false) {
    AKIN_TRY(const std::optional<std::string> line, lines->next());
    if (!line) return {};
    if (is_blank(*line)) continue;
    if (first && !line->starts_with('{')) {
      auto opened = TableReader::open(*line);
      if (opened.has_error()) return placed(std::move(opened).error(), name, lines->number());
      table = *std::move(opened);
      continue;
    }
    auto taken = table ? take.row(*table, *line) : take.json(*line);
    if (taken.has_error()) return placed(std::move(taken).error(), name, lines->number());
  }
}

/// Documents by id, for labels that name them.
class DocumentsById {
 public:
  explicit DocumentsById(const std::vector<Document>& documents) {
    for (const Document& document : documents) {
      if (document.id.empty()) continue;
      const auto [found, fresh] = documents_.emplace(document.id, &document);
      if (!fresh) found->second = nullptr;
    }
  }

  [[nodiscard]] Result<void> resolve(Document& document) const {
    const auto found = documents_.find(document.id);
    if (found == documents_.end()) {
      return Error{Errc::not_found, "document '" + document.id + "'", "is not among the documents",
                   "name their file with --documents"};
    }
    if (found->second == nullptr) {
      return Error{Errc::already_exists, "document '" + document.id + "'", "occurs twice in the documents",
                   "give each an id of its own"};
    }
    document = *found->second;
    return {};
  }

 private:
  std::unordered_map<std::string, const Document*> documents_;
};

}  // namespace

Result<std::vector<Document>> read_documents(const std::filesystem::path& file) {
  std::vector<Document> documents;
  const auto keep = [&](Result<Document> read) -> Result<void> {
    if (read.has_error()) return std::move(read).error();
    documents.push_back(*std::move(read));
    return {};
  };
  AKIN_CHECK(read_lines(
      file, {[&](const std::string& line) { return keep(judge::document_of_line(line)); },
             [&](const TableReader& table, const std::string& row) { return keep(table.document(row)); }}));
  return documents;
}

Result<std::vector<LabelledPair>> read_labels(const std::vector<std::string>& files,
                                              const std::vector<Document>& documents) {
  const DocumentsById by_id(documents);
  std::vector<LabelledPair> pairs;
  const LineTakers takers{[&](const std::string& line) -> Result<void> {
                            AKIN_TRY(LabelledLine read, judge::labelled_line(line));
                            if (read.a_by_id) AKIN_CHECK(by_id.resolve(read.pair.a));
                            if (read.b_by_id) AKIN_CHECK(by_id.resolve(read.pair.b));
                            pairs.push_back(std::move(read.pair));
                            return {};
                          },
                          [&](const TableReader& table, const std::string& row) -> Result<void> {
                            AKIN_TRY(LabelledPair pair, table.pair(row));
                            pairs.push_back(std::move(pair));
                            return {};
                          }};
  for (const std::string& file : files) AKIN_CHECK(read_lines(file, takers));
  return pairs;
}

std::string ModelPlace::display(const CommonOptions& options) const {
  if (!in_state) return ingest::display_name(file);
  return options.store.empty() ? ingest::display_name(options.data) : "the database";
}

Result<ModelPlace> model_place(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".json"))
    return ModelPlace{name, std::filesystem::path(name).stem().string()};
  if (judge::is_model_name(name)) return ModelPlace{"", name, true};
  return Error{Errc::invalid_argument, "model '" + name + "'", "is neither a name nor a file",
               "give letters, digits, '-', '_' and '.', or a path"};
}

namespace {

Result<std::string> model_text_at(const CommonOptions& options, const ModelPlace& place) {
  if (!place.in_state) {
    AKIN_TRY(const auto lines, FileLineReader::open(place.file));
    AKIN_TRY(const std::optional<std::string> line, lines->next());
    return line.value_or("");
  }
  AKIN_TRY(const auto state, find_state(options));
  std::optional<std::string> text;
  if (state != nullptr) {
    AKIN_TRY(text, state->get(state::Table::models, place.name));
  }
  if (text) return text->substr(0, text->find('\n'));
  return Error{Errc::not_found, "model '" + place.name + "'", "is not in " + place.display(options),
               "train it: akin-lab train --model " + place.name};
}

}  // namespace

Result<judge::Model> load_model(const CommonOptions& options, const std::string& name,
                                const Dictionary& dictionary) {
  AKIN_TRY(const ModelPlace place, model_place(name));
  AKIN_TRY(const std::string text, model_text_at(options, place));
  AKIN_TRY(judge::Model model,
           judge::read_model(text, place.in_state ? "'" + name + "'" : place.display(options)));
  AKIN_CHECK(judge::check_dictionary(model, dictionary));
  return model;
}

Result<void> save_model(const CommonOptions& options, const ModelPlace& place, const judge::Model& model) {
  if (place.in_state) {
    AKIN_TRY(const auto state, open_state(options));
    return state->put(state::Table::models, place.name, judge::model_text(model));
  }
  const std::filesystem::path& file = place.file;
  std::error_code failure;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), failure);
  if (failure) return system_error(failure.value(), ingest::display_name(file.parent_path()), "make");
  AKIN_TRY(const auto writer, LineWriter::open(file));
  AKIN_CHECK(writer->write(judge::model_text(model)));
  return writer->finish();
}

}  // namespace akin::cli
