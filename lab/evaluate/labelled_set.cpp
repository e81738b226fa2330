#include "lab/evaluate/labelled_set.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/files.h"
#include "base/utf8.h"
#include "server/json/quoted.h"
#include "server/tables/delimited.h"
#include "server/tables/labels.h"

namespace akin::evaluate {

namespace fs = std::filesystem;

namespace {

Result<std::string> read_utf8(const fs::path& file) {
  AKIN_TRY(std::string text, read_whole_file(file));
  AKIN_CHECK(validate_utf8(text, file.string()));
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  return text;
}

/// The *.txt files below a folder, by their path there and by their last part.
class Folder {
 public:
  static Result<Folder> walk(const fs::path& root) {
    Folder folder;
    folder.root_ = root;
    std::error_code failure;
    auto entry =
        fs::recursive_directory_iterator(root, fs::directory_options::follow_directory_symlink, failure);
    for (; !failure && entry != fs::end(entry); entry.increment(failure)) {
      if (!entry->is_regular_file() || entry->path().extension() != ".txt") continue;
      folder.add(entry->path().lexically_relative(root).generic_string());
    }
    if (failure) return system_error(failure.value(), root.string(), "read the folder");
    return folder;
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// The path below the folder of a file that the table names.
  [[nodiscard]] Result<std::string> resolve(const std::string& name, const std::string& place) const {
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) return name;
    const auto [begin, end] = by_last_part_.equal_range(name);
    if (begin == end) {
      return Error{Errc::not_found, place,
                   "names the text " + json::in_quotes(name) + ", which is not below " + root_.string(),
                   "texts are files *.txt"};
    }
    if (std::next(begin) != end) {
      return Error{Errc::invalid_argument, place,
                   "names the text " + json::in_quotes(name) + ", but there are several",
                   "name it by its path below " + root_.string()};
    }
    return begin->second;
  }

  [[nodiscard]] Result<std::string> read(const std::string& name) const { return read_utf8(root_ / name); }

 private:
  fs::path root_;
  std::vector<std::string> names_;
  std::multimap<std::string, std::string> by_last_part_;

  void add(const std::string& name) {
    names_.push_back(name);
    by_last_part_.emplace(fs::path(name).filename().string(), name);
  }
};

Result<Judgement> judge(const LabelledSetRequest& request, const std::string& label,
                        const std::string& place) {
  if (label.empty()) return Judgement::unknown;
  if (!request.positive.empty()) {
    const bool positive =
        std::find(request.positive.begin(), request.positive.end(), label) != request.positive.end();
    return positive ? Judgement::duplicate : Judgement::different;
  }
  const auto grade = tables::label_grade(label);
  if (!grade) {
    return Error{Errc::invalid_argument, place,
                 "the label " + json::in_quotes(label) + " means neither yes nor no",
                 "name the labels that mean a duplicate with --positive"};
  }
  return *grade > 0 ? Judgement::duplicate : Judgement::different;
}

/// Reads the table row by row into the set.
class SetReader {
 public:
  explicit SetReader(const LabelledSetRequest& request) : request_(request) {}

  Result<LabelledSet> read() {
    const bool folder = fs::is_directory(request_.set);
    const fs::path file = !request_.pairs.empty() ? request_.pairs
                          : folder                ? request_.set / "pairs.tsv"
                                                  : request_.set;
    AKIN_TRY(const std::string content, read_utf8(file));
    AKIN_TRY(table_, tables::read_delimited(content, file.string()));
    label_ = table_.column({"label", "category"});
    set_.unlisted = request_.unlisted.value_or(label_ ? Unlisted::unknown : Unlisted::different);
    if (table_.column({"text_a"})) {
      AKIN_CHECK(read_inline());
    } else {
      AKIN_CHECK(read_files(folder ? request_.set : file.parent_path()));
    }
    AKIN_CHECK(sort_pairs());
    return std::move(set_);
  }

 private:
  const LabelledSetRequest& request_;
  tables::DelimitedTable table_;
  std::optional<std::size_t> label_;
  LabelledSet set_;
  std::map<std::string, std::uint32_t> places_;  ///< of texts that were read, by their names

  Result<void> read_inline() {
    AKIN_TRY(const std::size_t a, table_.required_column({"text_a"}));
    AKIN_TRY(const std::size_t b, table_.required_column({"text_b"}));
    for (const tables::DelimitedRow& row : table_.rows) {
      const auto first = static_cast<std::uint32_t>(set_.texts.size());
      set_.texts.push_back(row.fields[a]);
      set_.texts.push_back(row.fields[b]);
      AKIN_CHECK(add_pair(row, first, first + 1));
    }
    return {};
  }

  Result<void> read_files(const fs::path& root) {
    AKIN_TRY(const std::size_t a, table_.required_column({"a", "file_a", "file"}));
    AKIN_TRY(const std::size_t b, table_.required_column({"b", "file_b", "source"}));
    AKIN_TRY(const Folder folder, Folder::walk(root.empty() ? "." : root));
    for (const tables::DelimitedRow& row : table_.rows) {
      AKIN_TRY(const std::uint32_t first, named_text(folder, row, a));
      AKIN_TRY(const std::uint32_t second, named_text(folder, row, b));
      AKIN_CHECK(add_pair(row, first, second));
    }
    if (set_.unlisted == Unlisted::unknown) return {};
    for (const std::string& name : folder.names()) AKIN_CHECK(text_place(folder, name));
    return {};
  }

  Result<std::uint32_t> named_text(const Folder& folder, const tables::DelimitedRow& row,
                                   std::size_t column) {
    AKIN_TRY(const std::string name, folder.resolve(row.fields[column], table_.place(row)));
    return text_place(folder, name);
  }

  Result<std::uint32_t> text_place(const Folder& folder, const std::string& name) {
    const auto [found, missing] = places_.try_emplace(name, static_cast<std::uint32_t>(set_.texts.size()));
    if (missing) {
      AKIN_TRY(std::string text, folder.read(name));
      set_.texts.push_back(std::move(text));
      set_.names.push_back(name);
    }
    return found->second;
  }

  Result<void> add_pair(const tables::DelimitedRow& row, std::uint32_t a, std::uint32_t b) {
    if (a == b) {
      return Error{Errc::invalid_argument, table_.place(row), "pairs a text with itself", "name two texts"};
    }
    Judgement judgement = Judgement::duplicate;
    if (label_) {
      AKIN_TRY(judgement, judge(request_, row.fields[*label_], table_.place(row)));
    }
    set_.pairs.push_back({std::min(a, b), std::max(a, b), judgement});
    return {};
  }

  Result<void> sort_pairs() {
    auto& pairs = set_.pairs;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    const auto twice = std::adjacent_find(
        pairs.begin(), pairs.end(),
        [](const JudgedPair& one, const JudgedPair& other) { return one.a == other.a && one.b == other.b; });
    if (twice == pairs.end()) return {};
    return Error{Errc::invalid_argument, table_.name, "judges one pair in two ways", "keep one of its rows"};
  }
};

}  // namespace

std::uint64_t LabelledSet::count(Judgement judgement) const {
  const auto listed = static_cast<std::uint64_t>(std::count_if(
      pairs.begin(), pairs.end(), [&](const JudgedPair& pair) { return pair.judgement == judgement; }));
  const Judgement of_others = unlisted == Unlisted::different ? Judgement::different : Judgement::unknown;
  if (judgement != of_others || texts.empty()) return listed;
  return listed + texts.size() * (texts.size() - 1) / 2 - pairs.size();
}

Judgement LabelledSet::judgement(std::uint32_t a, std::uint32_t b) const {
  const auto before = [](const JudgedPair& one, const JudgedPair& other) {
    return std::pair(one.a, one.b) < std::pair(other.a, other.b);
  };
  const JudgedPair wanted{a, b, Judgement::unknown};
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), wanted, before);
  if (found != pairs.end() && !before(wanted, *found)) return found->judgement;
  return unlisted == Unlisted::different ? Judgement::different : Judgement::unknown;
}

Result<LabelledSet> read_labelled_set(const LabelledSetRequest& request) { return SetReader(request).read(); }

}  // namespace akin::evaluate
