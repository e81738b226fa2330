#include "server/ingest/wiki_dump.h"

#include <libxml/xmlreader.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/xml_view.h"

namespace akin::ingest {

namespace {

template <class Number>
Number number(std::string_view digits) {
  Number value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

struct FreeReader {
  void operator()(xmlTextReaderPtr reader) const noexcept { xmlFreeTextReader(reader); }
};

class XmlDumpReader final : public DumpReader {
 public:
  XmlDumpReader(std::unique_ptr<ByteSource> source, std::string name, std::set<std::int64_t> namespaces)
      : source_(std::move(source)), name_(std::move(name)), namespaces_(std::move(namespaces)) {}

  Result<void> begin() {
    reader_.reset(xmlReaderForIO(read_bytes, nullptr, this, nullptr, nullptr, XML_PARSE_NONET));
    if (reader_ == nullptr) return Error{Errc::internal, name_, "the XML reader could not be created", ""};
    xmlTextReaderSetStructuredErrorHandler(reader_.get(), note_error, this);
    return {};
  }

  Result<std::optional<DumpPage>> next() override {
    for (;;) {
      const int got = xmlTextReaderRead(reader_.get());
      if (got < 0) return broken();
      if (got == 0) break;
      AKIN_TRY(const bool complete, take_node());
      if (complete && is_wanted()) return std::optional(std::move(page_));
    }
    if (!begun_) return not_a_dump();
    return std::optional<DumpPage>();
  }

  const DumpSkips& skips() const noexcept override { return skips_; }
  std::uint64_t bytes_read() const noexcept override { return source_->bytes_read(); }

 private:
  static int read_bytes(void* self, char* into, int room) {
    auto& reader = *static_cast<XmlDumpReader*>(self);
    auto got = reader.source_->read(into, static_cast<std::size_t>(room));
    if (!got.has_error()) return static_cast<int>(*got);
    reader.failure_ = got.error();
    return -1;
  }

  static void note_error(void* self, xmlErrorPtr error) {
    auto& reader = *static_cast<XmlDumpReader*>(self);
    if (!reader.reason_.empty() || error->level == XML_ERR_WARNING || error->message == nullptr) return;
    // libxml2 calls a file that breaks off "Extra content at the end of the document".
    const bool ends = error->code == XML_ERR_DOCUMENT_END;
    reader.reason_ = ends ? "it breaks off, or more follows its end" : error->message;
    while (reader.reason_.ends_with('\n')) reader.reason_.pop_back();
  }

  Error broken() {
    if (failure_) return *failure_;
    const int line = xmlTextReaderGetParserLineNumber(reader_.get());
    return {Errc::corrupt, name_ + " line " + std::to_string(line),
            "is not well-formed XML: " + (reason_.empty() ? std::string("unknown") : reason_),
            "download the dump again"};
  }

  [[nodiscard]] Error not_a_dump() const {
    return {Errc::invalid_argument, name_, "is not a MediaWiki dump: its first element is not <mediawiki>",
            "name its format with --format"};
  }

  /// True at the end of a page.
  Result<bool> take_node() {
    const int type = xmlTextReaderNodeType(reader_.get());
    const auto depth = static_cast<std::size_t>(xmlTextReaderDepth(reader_.get()));
    switch (type) {
      case XML_READER_TYPE_ELEMENT:
        return begin_element(depth);
      case XML_READER_TYPE_TEXT:
      case XML_READER_TYPE_CDATA:
      case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
        take_text(extract::xml_view(xmlTextReaderConstValue(reader_.get())));
        return false;
      case XML_READER_TYPE_END_ELEMENT:
        value_ = nullptr;
        return depth == 1 && extract::xml_view(xmlTextReaderConstLocalName(reader_.get())) == "page";
      default:
        return false;
    }
  }

  Result<bool> begin_element(std::size_t depth) {
    const std::string_view name = extract::xml_view(xmlTextReaderConstLocalName(reader_.get()));
    value_ = nullptr;
    if (depth == 0) {
      begun_ = name == "mediawiki";
      if (!begun_) return not_a_dump();
    } else if (depth == 1 && name == "page") {
      page_ = {};
      namespace_.clear(), id_.clear(), revision_.clear(), model_.clear();
      redirect_ = false;
    } else if (depth == 2) {
      if (name == "title") value_ = &page_.title;
      if (name == "ns") value_ = &namespace_;
      if (name == "id") value_ = &id_;
      if (name == "redirect") redirect_ = true;
      if (name == "revision") begin_revision();
    } else if (depth == 3) {
      if (name == "id") value_ = &revision_;
      if (name == "timestamp") value_ = &page_.time;
      if (name == "model") value_ = &model_;
      if (name == "text") value_ = &page_.text;
    }
    return false;
  }

  void begin_revision() {
    revision_.clear(), model_.clear();
    page_.time.clear(), page_.text.clear();
  }

  void take_text(std::string_view text) {
    if (value_ != nullptr) *value_ += text;
  }

  bool is_wanted() {
    if (redirect_) {
      ++skips_.redirects;
    } else if (!namespaces_.contains(number<std::int64_t>(namespace_))) {
      ++skips_.other_namespaces;
    } else if (!model_.empty() && model_ != "wikitext") {
      ++skips_.other_models;
    } else {
      page_.id = number<std::uint64_t>(id_);
      page_.revision = number<std::uint64_t>(revision_);
      return true;
    }
    return false;
  }

  const std::unique_ptr<ByteSource> source_;
  const std::string name_;
  const std::set<std::int64_t> namespaces_;
  std::unique_ptr<xmlTextReader, FreeReader> reader_;
  std::optional<Error> failure_;  ///< from the source
  std::string reason_;            ///< of the XML being broken
  bool begun_ = false;
  DumpPage page_;
  std::string namespace_, id_, revision_, model_;
  bool redirect_ = false;
  std::string* value_ = nullptr;  ///< the member that the current text belongs to
  DumpSkips skips_;
};

}  // namespace

bool begins_as_dump(std::string_view begin) noexcept {
  if (begin.starts_with("\xEF\xBB\xBF")) begin.remove_prefix(3);
  constexpr std::string_view kSpaces = " \t\r\n";
  for (;;) {
    begin.remove_prefix(std::min(begin.find_first_not_of(kSpaces), begin.size()));
    const std::string_view close = begin.starts_with("<?") ? "?>" : begin.starts_with("<!--") ? "-->" : "";
    if (close.empty()) return begin.starts_with("<mediawiki");
    const std::size_t end = begin.find(close);
    if (end == std::string_view::npos) return false;
    begin.remove_prefix(end + close.size());
  }
}

Result<std::unique_ptr<DumpReader>> DumpReader::open(std::unique_ptr<ByteSource> source,
                                                     const std::string& name,
                                                     const std::set<std::int64_t>& namespaces) {
  auto reader = std::make_unique<XmlDumpReader>(std::move(source), name, namespaces);
  AKIN_CHECK(reader->begin());
  return std::unique_ptr<DumpReader>(std::move(reader));
}

}  // namespace akin::ingest
