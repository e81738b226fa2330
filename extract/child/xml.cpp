#include "extract/child/xml.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/decoder.h"
#include "base/utf8.h"
#include "extract/child/builder.h"
#include "extract/child/errors.h"
#include "extract/formats/text_encoding.h"
#include "extract/html/html_charset.h"
#include "extract/text_layout.h"
#include "extract/xml_view.h"

namespace akin::extract {

namespace {

/// An attribute of libxml2's SAX2: name, prefix, URI, begin and end of the value.
constexpr int kAttributeFields = 5;

/// What the events share.
struct Reading {
  XmlHandler* handler;
  /// Entities of HTML that files use without declaring them. Their contents are owned here.
  std::map<std::string, std::pair<xmlEntity, std::string>> entities;
};

/// No character of an entity of the file's own is ever expanded: one that HTML does not know either is
/// nothing.
xmlEntityPtr html_entity(Reading& reading, const xmlChar* name) {
  const auto [found, added] = reading.entities.try_emplace(std::string(xml_view(name)));
  auto& [entity, content] = found->second;
  if (!added) return &entity;
  if (const htmlEntityDesc* known = htmlEntityLookup(name)) append_utf8(content, known->value);
  entity.type = XML_ENTITY_DECL;
  entity.etype = XML_INTERNAL_PREDEFINED_ENTITY;
  entity.name = reinterpret_cast<const xmlChar*>(found->first.c_str());
  entity.content = entity.orig = reinterpret_cast<xmlChar*>(content.data());
  entity.length = static_cast<int>(content.size());
  return &entity;
}

struct Events {
  static void start(void* context, const xmlChar* name, const xmlChar*, const xmlChar*, int vocabularies,
                    const xmlChar** declared, int attributes, int, const xmlChar** all) {
    for (std::ptrdiff_t i = 0; i < vocabularies; ++i)
      reading(context).handler->declare(xml_view(declared[2 * i]), xml_view(declared[2 * i + 1]));
    reading(context).handler->start(xml_view(name), XmlAttributes(all, attributes));
    if (reading(context).handler->done()) xmlStopParser(parser(context));
  }
  static void end(void* context, const xmlChar* name, const xmlChar*, const xmlChar*) {
    reading(context).handler->end(xml_view(name));
  }
  static void characters(void* context, const xmlChar* text, int length) {
    reading(context).handler->text({reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)});
  }
  static xmlEntityPtr entity(void* context, const xmlChar* name) {
    const xmlEntityPtr known = xmlGetPredefinedEntity(name);
    return known != nullptr ? known : html_entity(reading(context), name);
  }

 private:
  static xmlParserCtxtPtr parser(void* context) { return static_cast<xmlParserCtxtPtr>(context); }
  static Reading& reading(void* context) { return *static_cast<Reading*>(parser(context)->_private); }
};

struct FreeParser {
  void operator()(xmlParserCtxtPtr parser) const noexcept { xmlFreeParserCtxt(parser); }
};

/// Gives the handler what is in the text. Returns why the text is not well-formed, or nothing.
Result<std::string> parse(const std::string& text, const std::string& what, XmlHandler& handler,
                          int options) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return too_large(what + " is longer than 2 GiB");
  const std::unique_ptr<xmlParserCtxt, FreeParser> parser(
      xmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size())));
  if (parser == nullptr) return damaged(what + " is empty");
  xmlCtxtUseOptions(parser.get(), XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                      XML_PARSE_IGNORE_ENC | XML_PARSE_NOCDATA | options);
  xmlSwitchEncoding(parser.get(), XML_CHAR_ENCODING_UTF8);
  xmlSAXHandler events{};
  events.initialized = XML_SAX2_MAGIC;
  events.startElementNs = Events::start;
  events.endElementNs = Events::end;
  events.characters = Events::characters;
  events.cdataBlock = Events::characters;
  events.ignorableWhitespace = Events::characters;
  events.getEntity = Events::entity;
  *parser->sax = events;
  Reading reading{&handler, {}};
  parser->_private = &reading;
  xmlParseDocument(parser.get());
  if (handler.done() || parser->wellFormed != 0) return std::string();
  const xmlError* wrong = xmlCtxtGetLastError(parser.get());
  std::string reason = what + " is not well-formed XML";
  if (wrong != nullptr && wrong->line > 0) reason += ", line " + std::to_string(wrong->line);
  return reason;
}

}  // namespace

std::string_view XmlAttributes::get(std::string_view name) const {
  for (int i = 0; i < count_; ++i) {
    const unsigned char* const* one = all_ + std::ptrdiff_t{i} * kAttributeFields;
    if (xml_view(one[0]) != name) continue;
    return {reinterpret_cast<const char*>(one[3]), static_cast<std::size_t>(one[4] - one[3])};
  }
  return {};
}

std::string_view XmlAttributes::get(std::string_view prefix, std::string_view name) const {
  for (int i = 0; i < count_; ++i) {
    const unsigned char* const* one = all_ + std::ptrdiff_t{i} * kAttributeFields;
    if (xml_view(one[0]) == name && xml_view(one[1]) == prefix)
      return {reinterpret_cast<const char*>(one[3]), static_cast<std::size_t>(one[4] - one[3])};
  }
  return {};
}

void append_flat(std::string& to, std::string_view utf8) {
  const auto size = static_cast<std::ptrdiff_t>(to.size());
  to += utf8;
  std::replace(to.begin() + size, to.end(), '\n', ' ');
}

Result<void> read_xml(std::string_view bytes, const std::string& what, XmlHandler& handler) {
  const Result<std::string> text = to_utf8(bytes, what);
  if (text.has_error()) return damaged(what + " " + text.error().reason);
  AKIN_TRY(std::string wrong, parse(*text, what, handler, 0));
  if (!wrong.empty()) return damaged(std::move(wrong));
  return {};
}

Result<void> recover_xml(std::string_view bytes, const std::string& what, XmlHandler& handler,
                         DocumentBuilder& builder) {
  Result<std::string> text = to_utf8(bytes, what);
  const bool declared = text.has_value();
  if (!declared) {
    const std::optional<std::string> encoding = guess_encoding(bytes);
    std::optional<Decoder> decoder = encoding ? Decoder::open(*encoding) : std::nullopt;
    std::optional<std::string> decoded = decoder ? decoder->decode(bytes) : std::nullopt;
    if (!decoded) return damaged(what + " " + text.error().reason);
    text = *std::move(decoded);
  }
  // The parser would stop at them.
  const auto is_forbidden = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && !is_markup_space(c);
  };
  const bool clean = std::ranges::none_of(*text, is_forbidden);
  if (!clean) std::ranges::replace_if(*text, is_forbidden, ' ');
  AKIN_TRY(const std::string wrong, parse(*text, what, handler, XML_PARSE_RECOVER));
  handler.finish();
  if (!declared || !clean || !wrong.empty())
    builder.report(FileAlertKind::part_missing, 1,
                   "not well-formed XML, or in another encoding than declared");
  return {};
}

}  // namespace akin::extract
