#include <cstdint>
#include <string>

#include "cli/commands/common/document_flags.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "dict/dictionary.h"
#include "dict/fold/fold.h"
#include "lab/commands/lab_commands.h"
#include "morph/disguise/disguise.h"
#include "morph/features/features.h"
#include "morph/schemes/windows_1251.h"
#include "server/api/write/objects.h"
#include "server/ingest/read_document.h"

namespace akin::cli {

namespace {

void add(std::string& sum, const std::string& term) { sum += (sum.empty() ? "" : " + ") + term; }

/// Whether the features of a scheme are those of the paper.
bool is_paper_scheme(const Scheme& scheme) { return scheme.name().starts_with("paper-2009("); }

/// The sum that makes WH of a word: "мыло 81,234 + мыть 81,301", with squares if the scheme squares ids; or
/// "239⁴ + 224⁴", the codes of its characters, if no dictionary has it. Requires is_paper_scheme(scheme).
std::string paper_terms(const Word& word, const Dictionary& dictionary, const Scheme& scheme) {
  std::string sum;
  if (word.lemma_class.form == WordClass::kNoForm) {
    for (const char32_t c : word.letters) add(sum, std::to_string(windows_1251(c)) + "⁴");
    return sum;
  }
  const std::string power = scheme.name() == "paper-2009(ids=squared)" ? "²" : "";
  for (const std::uint32_t id : dictionary.lemma_ids(word.lemma_class.form))
    add(sum, std::string(dictionary.lemma(id)) + " " + grouped(id) + power);
  return sum;
}

/// SH: the sum of WH over the words, modulo 2^32.
std::uint32_t paper_sentence_hash(const Sentence& sentence, const Dictionary& dictionary,
                                  const Scheme& scheme) {
  std::uint32_t sum = 0;
  for (const Word& word : sentence.words)
    sum += static_cast<std::uint32_t>(scheme.word_hash(word, dictionary));
  return sum;
}

constexpr const char* kFeaturesExamples =
    "  akin-lab features essay.txt\n"
    "  echo 'Мама мыла раму. Рама чиста.' | akin-lab features -\n"
    "  akin-lab features essay.txt --scheme sentences --json\n"
    "  akin-lab features essay.txt --scheme paper-2009   ids of base forms, WH, SH and Seq2 of the paper\n"
    "\n"
    "Shows what akin sees: each sentence with its words, the lemma class and hash of every word, then\n"
    "the features that the index would store. Two texts share a feature if the hashes are equal.";

/// Prints each sentence and passes it on to the scheme.
class SentencePrinter final : public SentenceSink {
 public:
  SentencePrinter(const Dictionary& dictionary, const Scheme& scheme, FeatureStream& next, Output& out)
      : dictionary_(dictionary), scheme_(scheme), next_(next), out_(out) {}

  void on_sentence(const Sentence& sentence) override {
    ++number_;
    out_ << "sentence " << grouped(number_) << "  " << range(sentence.range);
    if (is_paper_scheme(scheme_)) {
      out_ << "  SH " << grouped(paper_sentence_hash(sentence, dictionary_, scheme_)) << "\n"
           << paper_words(sentence);
    } else {
      out_ << "\n" << classes(sentence);
    }
    next_.on_sentence(sentence);
  }

 private:
  [[nodiscard]] std::string classes(const Sentence& sentence) {
    Table words({Table::Align::left, Table::Align::left, Table::Align::left});
    for (const Word& word : sentence.words) {
      words.add({"  " + one_line(word.source, 100), dictionary_.class_name(folder_.fold(word.source)),
                 hash_digits(scheme_.word_hash(word, dictionary_))});
    }
    return words.text();
  }

  [[nodiscard]] std::string paper_words(const Sentence& sentence) const {
    Table words({Table::Align::left, Table::Align::left, Table::Align::right});
    for (const Word& word : sentence.words) {
      words.add({"  " + one_line(word.source, 100), paper_terms(word, dictionary_, scheme_),
                 "WH " + grouped(scheme_.word_hash(word, dictionary_))});
    }
    return words.text();
  }

  const Dictionary& dictionary_;
  const Scheme& scheme_;
  FeatureStream& next_;
  Output& out_;
  WordFolder folder_;
  std::uint64_t number_ = 0;
};

std::string_view alert_words(AlertKind kind) {
  switch (kind) {
    case AlertKind::zero_width:
      return "invisible characters inside a word";
    case AlertKind::mixed_script:
      return "letters of another script inside a word";
    case AlertKind::letter_spacing:
      return "letters set apart";
    case AlertKind::digit_in_word:
      return "a digit between the letters of a word";
    case AlertKind::impossible_mark:
      return "a mark that no language puts on the letter";
    case AlertKind::two_columns:
      return "lines across two columns";
    case AlertKind::private_use:
      return "letters that no standard defines inside a word";
    case AlertKind::bidi_override:
      return "letters shown in the reverse of their order";
    case AlertKind::transliterated:
      return "a Russian word in Latin letters";
  }
  return "unknown";
}

Result<void> print_features(std::string_view text, const Dictionary& dictionary, const Scheme& scheme,
                            Output& out) {
  AKIN_CHECK(features_fingerprint(scheme, dictionary));
  FeatureSequence sequence;
  const auto stream = scheme.stream(dictionary, sequence);
  SentencePrinter printer(dictionary, scheme, *stream, out);
  AKIN_TRY(const ScanSummary summary, scan_text(text, dictionary, printer));
  stream->finish();
  out << counted(sequence.hashes.size(), "feature") << " of the scheme " << scheme.name() << "\n";
  Table features({Table::Align::left, Table::Align::right, Table::Align::right});
  for (std::size_t at = 0; at < sequence.hashes.size(); ++at) {
    const auto hash = static_cast<std::uint64_t>(sequence.hashes[at]);
    features.add({"  " + hash_digits(hash), range(sequence.ranges[at]),
                  is_paper_scheme(scheme) ? "Seq2 " + grouped(hash) : ""});
  }
  out << features.text();
  const Disguise disguise = find_disguise(text, summary.alert_counts, summary.alerts);
  for (const Alert& alert : disguise.alerts) {
    out << "alert at " << range(alert.range) << ": " << alert_words(alert.kind) << "\n";
  }
  return {};
}

struct FeaturesOptions {
  std::string file;
  ingest::DocumentReading reading;
};

Result<Exit> run_features(const FeaturesOptions& options, Session& session) {
  AKIN_TRY(const auto scheme, open_scheme(session.options));
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  AKIN_TRY(const extract::Document document, ingest::read_document(options.file, options.reading));
  const std::string& text = document.text;
  if (session.options.json) {
    AKIN_TRY(const api::Json object, api::features_object(text, *dictionary, *scheme));
    session.out << object.dump() << "\n";
  } else {
    AKIN_CHECK(print_features(text, *dictionary, *scheme, session.out));
  }
  return Exit::ok;
}

}  // namespace

void add_text_features_command(Program& program) {
  Command command = program.command(
      "features", "Show a text's sentences, words, classes, hashes and features", kFeaturesExamples);
  auto options = std::make_shared<FeaturesOptions>();
  command.add_option("FILE", options->file, "Text to analyse; - is standard input").required().type_name("");
  add_encoding_option(command, options->reading.encoding);
  program.on(command, [options](Session& session) { return run_features(*options, session); });
}

}  // namespace akin::cli
