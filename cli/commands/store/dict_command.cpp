#include "base/utf8.h"
#include "cli/commands/commands.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

constexpr const char* kDictExamples =
    "  akin dict                       the compiled dictionaries and their files\n"
    "  akin dict стали running         lemmas, class and hash of words\n"
    "  akin dict --lang de,en Häuser\n"
    "  akin dict --synonyms ru огромный  the word that its synonyms count as";

void add_synonyms(const Dictionary& dictionary, Table& table) {
  const SynonymStats& stats = dictionary.stats().synonyms;
  std::string files;
  for (const auto& file : stats.files) files += (files.empty() ? "" : ", ") + file.string();
  table.add({"synonyms", files});
  table.add({"", grouped(stats.classes) + " classes count as " + grouped(stats.groups) + ", at most " +
                     grouped(stats.largest) + " as one"});
  if (stats.unknown > 0) {
    table.add({"", counted(stats.unknown, "word") + " skipped that no dictionary has"});
  }
  table.add({"fingerprint with synonyms", dictionary.synonym_fingerprint()});
}

void print_dictionary(const Dictionary& dictionary, Output& out) {
  const DictionaryStats& stats = dictionary.stats();
  using enum Table::Align;
  Table sources({left, right, right, left, left});
  sources.add({"language", "lemmas", "forms", "compounds", "files"});
  for (const DictionarySource& source : stats.sources) {
    std::string files = source.aff.string() + ", " + source.dic.filename().string();
    for (const auto& supplement : source.supplements) files += ", " + supplement.string();
    sources.add({source.language, grouped(source.lemmas), grouped(source.forms),
                 source.compounds ? "yes" : "no", files});
  }
  out << sources.text() << "\n";
  for (const DictionarySource& source : stats.sources) {
    if (source.cut_entries == 0) continue;
    out << source.language << ": " << counted(source.cut_entries, "word")
        << " with more forms than the table holds; akin asks Hunspell about the forms that it lacks\n\n";
  }
  Table joined({left, left});
  joined.add({"lemmas", grouped(stats.lemmas)});
  joined.add({"forms", grouped(stats.forms)});
  joined.add({"classes", grouped(stats.classes)});
  joined.add({"largest class",
              one_line(stats.largest_class, 60) + ", " + counted(stats.largest_class_forms, "form")});
  joined.add(
      {"table", byte_count(stats.table_bytes) + (stats.cache_file.empty() ? "" : " in " + stats.cache_file)});
  joined.add({"fingerprint", dictionary.fingerprint()});
  if (dictionary.has_synonyms()) add_synonyms(dictionary, joined);
  out << joined.text();
}

void print_words(const Dictionary& dictionary, const std::vector<std::string>& words, Output& out) {
  WordFolder folder;
  using enum Table::Align;
  const bool synonyms = dictionary.has_synonyms();
  Table table(std::vector<Table::Align>(synonyms ? 6 : 5, left));
  std::vector<std::string> heads{"word", "known", "class", "hash", "lemmas"};
  if (synonyms) heads.insert(heads.begin() + 3, "counts as");
  table.add(heads);
  for (const std::string& word : words) {
    const FoldedWord folded = folder.fold(word);
    const WordClass word_class = dictionary.classify(folded);
    std::string lemmas;
    if (word_class.form != WordClass::kNoForm) {
      for (const std::uint32_t id : dictionary.lemma_ids(word_class.form)) {
        if (!lemmas.empty()) lemmas += ", ";
        lemmas += dictionary.lemma(id);
      }
    }
    std::vector<std::string> row{one_line(word, 60), dictionary.knows(folded) ? "yes" : "no",
                                 dictionary.class_name(folded), hash_digits(word_class.hash), lemmas};
    if (synonyms) row.insert(row.begin() + 3, dictionary.synonym_name(folded));
    table.add(row);
  }
  out << table.text();
}

Result<Exit> run_dict(const std::vector<std::string>& words, Session& session) {
  for (const std::string& word : words) AKIN_CHECK(validate_utf8(word, "word"));
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  if (session.options.json) {
    api::Json object;
    if (words.empty()) {
      object = api::dictionary_object(*dictionary);
    } else {
      object = api::Json::array();
      for (const std::string& word : words) object.push_back(api::word_object(*dictionary, word));
    }
    session.out << object.dump() << "\n";
  } else if (words.empty()) {
    print_dictionary(*dictionary, session.out);
  } else {
    print_words(*dictionary, words, session.out);
  }
  return Exit::ok;
}

}  // namespace

void add_dict_command(Program& program) {
  Command command =
      program.command("dict", "Show the compiled dictionaries, or look words up in them", kDictExamples);
  auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("WORD", *words, "Words to look up").type_name("");
  program.on(command, [words](Session& session) { return run_dict(*words, session); });
}

}  // namespace akin::cli
