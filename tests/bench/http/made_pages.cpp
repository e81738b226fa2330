// Writes a collection for measurements of reuse, as lines of JSON to standard output, and questions about it
// to a file: {"kind","text","sources"} a line.
//
//   made_pages CORPORA SHAPE DOCUMENTS QUESTIONS
//
// pages: pages of novels (page_maker.h), and among them 20 whole novels and 1,000 copies of one text.
//   Questions: 500 texts of 2 to 18 kB, every other with a passage of a stored page; 100 texts of ten pages
//   with three; five novels with twenty; 20 quotations of the text that has copies.
// licence: pages of 600 to 2,500 bytes with the same page of 3,000 bytes at their ends. Questions: 100 pages
//   with a passage of a stored one, without that page and with it.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "tests/bench/page_maker.h"

namespace akin::bench {
namespace {

constexpr std::uint64_t kPages = 500, kLongTexts = 100, kNovels = 5, kQuotations = 20;
constexpr std::uint64_t kStoredNovels = 20, kCopies = 1'000, kBesideLicence = 100;
constexpr std::size_t kTenPages = 25'000, kLicence = 3'000;
// Numbers of made texts that no page has.
constexpr std::uint64_t kCopiedText = std::uint64_t{1} << 40U, kLicenceText = kCopiedText + 1,
                        kLicensedPages = std::uint64_t{1} << 41U;

void write(std::ostream& out, const nlohmann::ordered_json& line) {
  out << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

void store(const std::string& id, const std::string& text) { write(std::cout, {{"id", id}, {"text", text}}); }

void ask(std::ostream& questions, const char* kind, const ReuseQuestion& question) {
  write(questions, {{"kind", kind}, {"text", question.text}, {"sources", question.sources}});
}

void write_pages(const PageMaker& maker, std::uint64_t documents, std::ostream& questions) {
  for (std::uint64_t number = 0; number < documents; ++number)
    store(PageMaker::id_of(number), maker.page(number));
  for (std::uint64_t number = 0; number < kStoredNovels; ++number)
    store("novel" + std::to_string(number),
          std::string(maker.novels()[number * maker.novels().size() / kStoredNovels]));
  const std::string copied = maker.made(kCopiedText, 6'000);
  for (std::uint64_t number = 0; number < kCopies; ++number) store("copy" + std::to_string(number), copied);

  for (std::uint64_t number = 0; number < kPages; ++number)
    ask(questions, "page", maker.question(number, 2'000 + number * 16, number % 2, documents));
  for (std::uint64_t number = 0; number < kLongTexts; ++number)
    ask(questions, "ten pages", maker.question(number, kTenPages, 3, documents));
  for (std::uint64_t number = 0; number < kNovels; ++number)
    ask(questions, "novel", maker.question(number, 0, 20, documents));
  for (std::uint64_t number = 0; number < kQuotations; ++number) {
    ReuseQuestion question = maker.question(kPages + number, 2'000, 0, documents);
    const std::size_t begin = copied.find(' ', number * 200), end = copied.find(' ', begin + 700);
    plant(std::string_view(copied).substr(begin, end - begin), 0.5, question.text);
    ask(questions, "copies", question);
  }
}

void write_licensed(const PageMaker& maker, std::uint64_t documents, std::ostream& questions) {
  const std::string licence = maker.made(kLicenceText, kLicence);
  const auto own = [&](std::uint64_t number) {
    return maker.made(kLicensedPages + number, 600 + mix64(number) % 1'900);
  };
  for (std::uint64_t number = 0; number < documents; ++number)
    store(PageMaker::id_of(number), own(number) + "\n" + licence);

  for (std::uint64_t number = 0; number < kBesideLicence; ++number) {
    const std::uint64_t source = number * documents / kBesideLicence;
    Random random(number);
    ReuseQuestion question = maker.question(number, 3'000, 0, documents);
    plant(passage_of(own(source), random), 0.5, question.text);
    question.sources.push_back(PageMaker::id_of(source));
    ask(questions, "without licence", question);
    question.text += "\n" + licence;
    ask(questions, "with licence", question);
  }
}

int run(const std::string& corpora, const std::string& shape, std::uint64_t documents,
        const std::string& file) {
  std::ios::sync_with_stdio(false);
  const PageMaker maker(corpora);
  std::ofstream questions(file);
  if (shape == "pages") {
    write_pages(maker, documents, questions);
  } else if (shape == "licence") {
    write_licensed(maker, documents, questions);
  } else {
    throw std::runtime_error("no shape '" + shape + "'");
  }
  std::cout.flush();
  questions.flush();
  return std::cout && questions ? 0 : 1;
}

}  // namespace
}  // namespace akin::bench

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: made_pages CORPORA SHAPE DOCUMENTS QUESTIONS\n", stderr);
    return 2;
  }
  try {
    return akin::bench::run(argv[1], argv[2], std::stoull(argv[3]), argv[4]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "made_pages: %s\n", error.what());
    return 1;
  }
}
