#include <map>
#include <string>
#include <utility>
#include <vector>

#include "extract/child/errors.h"
#include "extract/child/office/properties.h"
#include "extract/child/readers.h"
#include "extract/child/sandbox.h"
#include "extract/html/html.h"
#include "extract/html/style_sheet.h"

namespace akin::extract {

namespace {

/// The path of the package document, in META-INF/container.xml.
class ContainerHandler : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "rootfile" && path.empty()) path = attributes.get("full-path");
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}
  std::string path;
};

/// The package document: metadata, the files, and the order in which they are read.
class PackageHandler : public PropertiesHandler {
 public:
  using PropertiesHandler::PropertiesHandler;

  void start(std::string_view name, const XmlAttributes& attributes) override {
    PropertiesHandler::start(name, attributes);
    if (name == "item") {
      const std::string href(attributes.get("href"));
      const bool picture = attributes.get("media-type").starts_with("image/") &&
                           attributes.get("media-type") != "image/svg+xml";
      files_[std::string(attributes.get("id"))] = picture ? std::string() : href;
      const bool is_navigation = attributes.get("properties").find("nav") != std::string_view::npos;
      if (is_navigation || attributes.get("media-type") == "application/x-dtbncx+xml")
        contents.push_back(href);
      if (is_navigation) navigation = href;
    }
    if (name == "itemref") order_.emplace_back(attributes.get("idref"));
  }

  /// The files in their order, without pictures.
  [[nodiscard]] std::vector<std::string> spine() const {
    std::vector<std::string> files;
    for (const std::string& id : order_) {
      const auto found = files_.find(id);
      if (found == files_.end() || found->second.empty()) continue;
      files.push_back(found->second);
    }
    return files;
  }

  std::vector<std::string> contents;  ///< files that name the chapters
  std::string navigation;             ///< the page of contents among them

 private:
  std::map<std::string, std::string> files_;
  std::vector<std::string> order_;
};

/// The names of chapters, in a page of contents (EPUB 3) or an NCX (EPUB 2).
class ContentsHandler : public XmlHandler {
 public:
  /// `folder`: of the file with the contents.
  ContentsHandler(std::map<std::string, std::string>& names, std::string folder)
      : names_(names), folder_(std::move(folder)) {}
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "a") target_ = attributes.get("href");
    if (name == "a" || name == "navLabel") label_.clear();
    if (name == "content") add(attributes.get("src"));
  }
  void end(std::string_view name) override {
    if (name == "a") add(target_);
  }
  void text(std::string_view utf8) override { append_flat(label_, utf8); }

  [[nodiscard]] std::size_t bytes_of_names() const noexcept { return bytes_of_names_; }

 private:
  /// The first name of a file counts; others are of places in it.
  void add(std::string_view target) {
    bytes_of_names_ += label_.size();
    names_.emplace(member_of(folder_, target.substr(0, target.find('#'))), label_);
  }

  std::map<std::string, std::string>& names_;  ///< by member
  const std::string folder_;
  std::string target_, label_;
  std::size_t bytes_of_names_ = 0;
};

/// Whether the text is encrypted; fonts often are.
bool is_encrypted(const Archive& archive) {
  const std::string* encryption = archive.find("META-INF/encryption.xml");
  return encryption != nullptr && (encryption->find(".xhtml\"") != std::string::npos ||
                                   encryption->find(".html\"") != std::string::npos ||
                                   encryption->find(".htm\"") != std::string::npos);
}

}  // namespace

Result<void> read_epub(const Archive& archive, DocumentBuilder& builder) {
  if (is_encrypted(archive)) return encrypted();
  ContainerHandler container;
  AKIN_TRY(const std::string_view root, archive.require("META-INF/container.xml"));
  AKIN_CHECK(read_xml(root, "META-INF/container.xml", container));
  AKIN_TRY(const std::string_view package_file, archive.require(container.path));
  PackageHandler package(builder.metadata());
  AKIN_CHECK(read_xml(package_file, container.path, package));
  const std::string folder = folder_of(container.path);
  std::map<std::string, std::string> names;
  std::size_t bytes_of_contents = 0;
  for (const std::string& contents : package.contents) {
    const std::string member = member_of(folder, contents);
    ContentsHandler handler(names, folder_of(member));
    const std::string* found = archive.find(member);
    // Contents that cannot be read leave the chapters without names; the text is what matters.
    if (found != nullptr && read_xml(*found, contents, handler).has_error()) continue;
    if (contents == package.navigation) bytes_of_contents = handler.bytes_of_names();
  }
  const std::vector<std::string> spine = package.spine();
  constexpr std::size_t kBytesOfPage = 2000;
  // A page of contents has blanks and a heading, too; with more text it is a chapter.
  constexpr std::size_t kMostBesideContents = 500;
  std::vector<std::string> missing;
  LinkedSheets sheets;
  for (const std::string& file : spine) {
    const std::string member = member_of(folder, file);
    const std::string* bytes = archive.find(member);
    const auto add_sheet = [&](SharedSheet& to, std::string_view address) {
      const std::string* const css = archive.find(member_of(folder_of(member), std::string(address)));
      if (css != nullptr) sheets.add(to, *css);
      return css != nullptr;
    };
    const Result<Page> page =
        read_html(bytes == nullptr ? std::string_view() : *bytes, member, kAutoName, add_sheet);
    if (bytes == nullptr || page.has_error()) {
      missing.push_back(member);
      const double share = static_cast<double>(missing.size()) / static_cast<double>(spine.size());
      builder.report_share(FileAlertKind::part_missing, 1, share, member);
      continue;
    }
    if (file == package.navigation && page->text.size() < bytes_of_contents + kMostBesideContents) continue;
    const auto name = names.find(member);
    builder.begin_part(name == names.end() ? page->title : name->second);
    builder.web_page(*page);
    add_pages_read(page->text.size() / kBytesOfPage + 1);
    if (builder.full()) break;
  }
  if (!missing.empty() && missing.size() == spine.size())
    return damaged("has no chapter that can be read; the first would be " + missing.front());
  return {};
}

}  // namespace akin::extract
