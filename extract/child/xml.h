// XML by events (libxml2), without a tree, without entities of the file's own, without the network.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::extract {

class DocumentBuilder;

/// The attributes of one element.
class XmlAttributes {
 public:
  XmlAttributes(const unsigned char* const* all, int count) : all_(all), count_(count) {}
  /// By its name without a prefix; empty if there is none. The view lives until the event ends.
  [[nodiscard]] std::string_view get(std::string_view name) const;
  /// Of the attribute with this prefix, for formats that give one name in several vocabularies.
  [[nodiscard]] std::string_view get(std::string_view prefix, std::string_view name) const;

 private:
  const unsigned char* const* all_;
  int count_;
};

/// Receives the elements of a file. Names are without prefixes.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void start(std::string_view name, const XmlAttributes& attributes) = 0;
  virtual void end(std::string_view name) = 0;
  virtual void text(std::string_view utf8) = 0;
  /// A prefix of a vocabulary, before the start of the element that declares it.
  virtual void declare(std::string_view /*prefix*/, std::string_view /*vocabulary*/) {}
  /// Called by recover_xml after the end of the file, or where it breaks off.
  virtual void finish() {}
  /// Whether reading may stop here.
  [[nodiscard]] virtual bool done() const { return false; }
};

/// Appends text in which a line feed is a blank, as XML means it.
void append_flat(std::string& to, std::string_view utf8);

/// Reads a whole file of any encoding that it declares. `what` names it in errors. Errors: file_damaged (not
/// well-formed, or of an unknown encoding), file_too_large (2 GiB).
[[nodiscard]] Result<void> read_xml(std::string_view bytes, const std::string& what, XmlHandler& handler);

/// The same of a file that need not be well-formed, nor in the encoding that it declares: reads what can be
/// read, finishes, and reports the alert part_missing if something was wrong. Errors: file_damaged (no
/// encoding fits), file_too_large.
[[nodiscard]] Result<void> recover_xml(std::string_view bytes, const std::string& what, XmlHandler& handler,
                                       DocumentBuilder& builder);

}  // namespace akin::extract
