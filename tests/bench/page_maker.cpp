#include "tests/bench/page_maker.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "tests/experiments/corpora.h"

namespace akin::bench {
namespace {

constexpr std::uint64_t kPlantedEvery = 50, kHeldOutEvery = 12;
constexpr std::size_t kLeastPage = 2'000, kMostPage = 10'000, kLeastNovel = 500'000;

enum class Purpose : std::uint64_t { cuts = 1, own, planted, made, question };

Random stream(Purpose purpose, std::uint64_t number) {
  return Random(mix64(static_cast<std::uint64_t>(purpose) << 56U ^ number));
}

/// The first byte of a word at or after `at`, or the end.
std::size_t word_from(std::string_view text, std::size_t at) {
  const std::size_t space = text.find_first_of(" \n", at);
  return space == std::string_view::npos ? text.size() : space + 1;
}

void cut(std::string_view novel, Random& random, std::vector<std::string_view>& pages) {
  for (std::size_t at = 0; at < novel.size();) {
    const std::size_t end = word_from(novel, at + random.between(kLeastPage, kMostPage));
    if (end - at >= kLeastPage) pages.push_back(novel.substr(at, end - at));
    at = end;
  }
}

std::vector<std::string_view> long_ones(const std::vector<std::string>& works) {
  std::vector<std::string_view> found;
  std::ranges::copy_if(works, std::back_inserter(found),
                       [](const std::string& work) { return work.size() >= kLeastNovel; });
  return found;
}

void shuffle(std::vector<std::string_view>& pages, Random& random) {
  for (std::size_t left = pages.size(); left > 1; --left)
    std::swap(pages[left - 1], pages[random.below(left)]);
}

}  // namespace

std::string passage_of(std::string_view text, Random& random) {
  const std::size_t size = std::min<std::size_t>(random.between(300, 1'800), text.size() / 2);
  const std::size_t begin = word_from(text, random.below(text.size() - size));
  return std::string(text.substr(begin, word_from(text, begin + size) - begin));
}

void plant(std::string_view passage, double part, std::string& text) {
  const auto at = static_cast<std::size_t>(part * static_cast<double>(text.size()));
  text.insert(word_from(text, at), "\n\n" + std::string(passage) + "\n\n");
}

PageMaker::PageMaker(const std::string& corpora) {
  for (const char* folder : {"ru-novels", "en-novels"}) {
    std::uint64_t number = 0;
    for (auto& work : experiments::read_works(corpora, folder))
      (++number % kHeldOutEvery == 0 ? held_out_ : works_).push_back(std::move(work.text));
  }
  novels_ = long_ones(works_);
  held_out_novels_ = long_ones(held_out_);
  if (novels_.empty() || held_out_novels_.empty()) throw std::runtime_error("the corpora have no novels");
  Random random = stream(Purpose::cuts, 0);
  for (const std::string& work : works_) {
    cut(work, random, real_);
    chain_.add(work);
  }
  for (const std::string& work : held_out_) cut(work, random, questions_);
  shuffle(real_, random);
  shuffle(questions_, random);
  chain_.learn();
}

std::string PageMaker::made(std::uint64_t number, std::size_t bytes) const {
  Random random = stream(Purpose::made, number);
  std::string text;
  chain_.write(random, bytes, text);
  return text;
}

std::string PageMaker::own_page(std::uint64_t number) const {
  if (number < real_.size()) return std::string(real_[number]);
  return made(number, stream(Purpose::own, number).between(kLeastPage, kMostPage));
}

std::string PageMaker::page(std::uint64_t number) const {
  std::string text = own_page(number);
  if (number % kPlantedEvery == kPlantedEvery - 1) {
    Random random = stream(Purpose::planted, number);
    plant(passage_of(own_page(random.below(number)), random), 0.5, text);
  }
  return text;
}

ReuseQuestion PageMaker::question(std::uint64_t number, std::size_t bytes, unsigned passages,
                                  std::uint64_t pages) const {
  Random random = stream(Purpose::question, number << 32U ^ bytes);
  ReuseQuestion question;
  if (bytes == 0) {
    question.text = held_out_novels_[number % held_out_novels_.size()];
  } else {
    while (question.text.size() < bytes) question.text += questions_[random.below(questions_.size())];
  }
  for (unsigned passage = 0; passage < passages; ++passage) {
    const std::uint64_t source = random.below(pages);
    plant(passage_of(own_page(source), random), (passage + 0.5) / passages, question.text);
    question.sources.push_back(id_of(source));
  }
  return question;
}

}  // namespace akin::bench
