#include "cli/commands/dedup/dedup_options.h"

#include "cli/commands/common/document_flags.h"
#include "cli/frame/program.h"
#include "index/collection/bulk.h"

namespace akin::cli {

namespace {

constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 50;

void add_condition_options(Command command, DedupOptions& options) {
  command
      .add_option("--min-containment", options.min_containment,
                  "A document is dropped if a kept one has at least this share (0 to 1) of its words or\n"
                  "features; default: 0.8")
      .type_name("SHARE")
      .check(check_share);
  command
      .add_option("--min-resemblance", options.min_resemblance,
                  "Instead: if both share at least this part (0 to 1) of the words or features of both\n"
                  "together")
      .type_name("SHARE")
      .check(check_share);
  command
      .add_option("--keep", options.keep,
                  "Which documents come first: first (in the input), longest, oldest (by date, time,\n"
                  "timestamp, published or created), or those with the greatest number or time in the\n"
                  "field of this name")
      .type_name("first|longest|oldest|FIELD")
      .capture_default_str();
  command
      .add_option("--against", options.against,
                  "Also drop what a document of this file, folder or collection covers; its own documents\n"
                  "are not written")
      .type_name("FILE|COLLECTION");
  command
      .add_option(
          "--by", options.by,
          "What is dropped: documents; or paragraphs, lines or passages of texts, of which the first\n"
          "with the same words in the same order stays")
      .one_of({"document", "paragraph", "line", "passage"})
      .capture_default_str();
  command
      .add_option(
          "--min-words", options.min_words,
          "With --by paragraph, line or passage: those with fewer words stay; default: 10, of passages\n"
          "50")
      .type_name("N")
      .check(check_positive);
  command
      .add_option(
          "--cut", options.cut,
          "With --by passage: what is put in place of each repeated passage, such as [...]; default:\n"
          "nothing")
      .type_name("TEXT");
}

void add_output_options(Command command, DedupOptions& options) {
  command
      .add_option("--out", options.out,
                  "File for the kept lines, or for the names of the kept files; .gz and .zst compress, - is\n"
                  "standard output")
      .required()
      .type_name("FILE");
  command.add_flag("--mark", options.mark,
                   "Write all documents, with the fields cluster, duplicate_of and share");
  command.add_option("--pairs", options.pairs, "Write each dropped document with the kept one that covers it")
      .type_name("FILE");
  command.add_option("--clusters", options.clusters, "Write each kept document with those that it covers")
      .type_name("FILE");
  command
      .add_option("--why", options.why,
                  "Print what was decided about the document with this id, and the passages that it shares\n"
                  "with the kept one; may be given several times")
      .one_value_each_time()
      .type_name("ID");
}

}  // namespace

void add_dedup_options(Command command, DedupOptions& options) {
  command
      .add_option("PATH", options.source.paths,
                  "Lines of JSON (.jsonl, .ndjson, .json, also .gz or .zst; - is standard input), or files\n"
                  "and folders as akin index reads them")
      .required()
      .type_name("");
  add_output_options(command, options);
  add_condition_options(command, options);
  command.add_option("--text-field", options.text_field, "Field of a line that has the text")
      .type_name("NAME")
      .capture_default_str();
  command
      .add_option("--id-field", options.id_field,
                  "Field of a line that has the id; default: id, or else url, or else FILE:LINE")
      .type_name("NAME");
  add_encoding_option(command, options.source.encoding);
  command
      .add_option("--scratch", options.scratch,
                  "Folder for the temporary index, which stays there until the run has ended well; default:\n"
                  "a new one in TMPDIR, which is removed at every end")
      .type_name("DIR");
  command.add_flag("--resume", options.resume,
                   "Continue the interrupted run of the same command that --scratch has, if any");
  command
      .add_option("--memory", options.memory,
                  "Memory for indexing and comparing, beside some 400 bytes for each document and its id")
      .with_size_suffix()
      .range(kLeastBulkMemory, kMostMemory)
      .default_str("128M")
      .type_name("BYTES");
  add_exit_code(command, options.exit_code, "anything was dropped");
}

}  // namespace akin::cli
