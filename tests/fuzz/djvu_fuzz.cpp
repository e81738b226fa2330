// The text layers of DjVu pages, as djvulibre hands them over: whatever zones a file nests becomes a document
// that can be sent. The library itself is not fuzzed here.
//
// Input: marks, each with what follows it. P: the next page, with its width, height and resolution; one of c
// r p l w h: a zone, with its four sides; (: one of another kind; ): its end; ": a string, with its length;
// any other: a number, which is not a zone. Sizes have two bytes, lengths one.
#include <libdjvu/miniexp.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "extract/child/page/djvu_text.h"
#include "extract/child/page/pdf_page.h"
#include "tests/fuzz/read_whole.h"

namespace {

using akin::extract::DjvuSize;
using akin::extract::PdfPage;

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}
  [[nodiscard]] bool ended() const { return rest_.empty(); }
  [[nodiscard]] char peek() const { return rest_.front(); }
  char mark() { return bytes(1).front(); }
  int size() {
    const std::string_view two = bytes(2);
    int value = 0;
    for (const char byte : two) value = value * 256 + static_cast<unsigned char>(byte);
    return value;
  }
  std::string_view bytes(std::size_t count) {
    const std::string_view some = rest_.substr(0, count);
    rest_.remove_prefix(some.size());
    return some;
  }

 private:
  std::string_view rest_;
};

/// A zone whose parts are still being read, the last part first.
struct OpenZone {
  const char* kind;
  int sides[4];
  std::vector<miniexp_t> parts;

  [[nodiscard]] miniexp_t close() const {
    miniexp_t list = miniexp_nil;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) list = miniexp_cons(*part, list);
    for (int i = 3; i >= 0; --i) list = miniexp_cons(miniexp_number(sides[i]), list);
    return miniexp_cons(miniexp_symbol(kind), list);
  }
};

const char* kind_of(char mark) {
  switch (mark) {
    case 'c':
      return "column";
    case 'r':
      return "region";
    case 'p':
      return "para";
    case 'l':
      return "line";
    case 'w':
      return "word";
    case 'h':
      return "char";
    case '(':
      return "other";
    default:
      return nullptr;
  }
}

/// The zones up to the next page.
miniexp_t read_zones(Input& input, const DjvuSize& size) {
  std::vector<OpenZone> open = {{"page", {0, 0, size.width, size.height}, {}}};
  const auto close_last = [&] {
    const miniexp_t zone = open.back().close();
    open.pop_back();
    open.back().parts.push_back(zone);
  };
  while (!input.ended() && input.peek() != 'P') {
    const char mark = input.mark();
    if (const char* kind = kind_of(mark)) {
      OpenZone zone{kind, {}, {}};
      for (int& side : zone.sides) side = input.size();
      open.push_back(std::move(zone));
    } else if (mark == ')') {
      if (open.size() > 1) close_last();
    } else if (mark == '"' && !input.ended()) {
      const auto length = static_cast<unsigned char>(input.mark());
      open.back().parts.push_back(miniexp_string(std::string(input.bytes(length)).c_str()));
    } else {
      open.back().parts.push_back(miniexp_number(mark));
    }
  }
  while (open.size() > 1) close_last();
  return open.back().close();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace akin::extract;
  minilisp_acquire_gc_lock(miniexp_nil);  // nothing but these functions refers to the zones
  std::vector<PdfPage> pages;
  Input input(data, size);
  while (!input.ended()) {
    input.mark();
    DjvuSize page;
    for (int* side : {&page.width, &page.height, &page.dpi}) *side = input.size();
    akin::Result<PdfPage> lines = make_djvu_page(read_zones(input, page), page);
    if (lines.has_value()) pages.push_back(*std::move(lines));
  }
  minilisp_release_gc_lock(miniexp_nil);
  give_one_size(pages);
  remove_running_heads(pages);
  DocumentBuilder builder("djvu", akin::fuzz::kMostText);
  add_pages(pages, builder);
  akin::fuzz::check_sent(std::move(builder));
  return 0;
}
