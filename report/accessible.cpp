#include "report/accessible.h"

#include <memory>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEFStreamObjectHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <string_view>
#include <vector>

namespace akin::report {

namespace {

std::string in_xml(std::string_view text) {
  std::string xml;
  for (const char c : text) {
    if (c == '&') {
      xml += "&amp;";
    } else if (c == '<') {
      xml += "&lt;";
    } else {
      xml += c;
    }
  }
  return xml;
}

/// ISO 16684-1 and, for the part of PDF/UA, ISO 14289-1, 5.
std::string metadata(const std::string& title) {
  return "<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
         "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
         "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
         "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
         "xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\">\n"
         "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">" +
         in_xml(title) +
         "</rdf:li></rdf:Alt></dc:title>\n<pdfuaid:part>1</pdfuaid:part>\n"
         "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>";
}

QPDFObjectHandle name(const char* of) { return QPDFObjectHandle::newName(of); }

void complete_catalog(QPDF& pdf, const std::string& title, const std::string& language) {
  QPDFObjectHandle catalog = pdf.getRoot();
  catalog.replaceKey("/Lang", QPDFObjectHandle::newUnicodeString(language));
  QPDFObjectHandle preferences = QPDFObjectHandle::newDictionary();
  preferences.replaceKey("/DisplayDocTitle", QPDFObjectHandle::newBool(true));
  catalog.replaceKey("/ViewerPreferences", preferences);
  QPDFObjectHandle stream = pdf.newStream(metadata(title));
  stream.getDict().replaceKey("/Type", name("/Metadata"));
  stream.getDict().replaceKey("/Subtype", name("/XML"));
  catalog.replaceKey("/Metadata", stream);
}

void complete_fonts(QPDF& pdf) {
  for (QPDFObjectHandle object : pdf.getAllObjects()) {
    if (object.isDictionaryOfType("/Font", "/CIDFontType2") && !object.hasKey("/CIDToGIDMap"))
      object.replaceKey("/CIDToGIDMap", name("/Identity"));
  }
}

void complete_links(QPDFPageObjectHelper& page, const std::string& title) {
  std::vector<QPDFAnnotationObjectHelper> links = page.getAnnotations("/Link");
  if (!links.empty()) page.getObjectHandle().replaceKey("/Tabs", name("/S"));
  for (QPDFAnnotationObjectHelper& link : links)
    link.getObjectHandle().replaceKey("/Contents", QPDFObjectHandle::newUnicodeString(title));
}

void add_footer(QPDF& pdf, QPDFPageObjectHelper& page, QPDFPageObjectHelper& footer) {
  QPDFObjectHandle drawn = pdf.copyForeignObject(footer.getFormXObjectForPage());
  QPDFObjectHandle resources = page.getAttribute("/Resources", true);
  resources.mergeResources(QPDFObjectHandle::parse("<< /XObject << >> >>"));
  resources.getKey("/XObject").replaceKey("/Footer", drawn);
  page.addPageContents(pdf.newStream("q\n"), true);
  page.addPageContents(
      pdf.newStream("\nQ /Artifact << /Type /Pagination /Subtype /Footer >> BDC q /Footer Do Q EMC\n"),
      false);
}

void attach(QPDF& pdf, const std::string& certificate) {
  auto stream = QPDFEFStreamObjectHelper::createEFStream(pdf, certificate);
  stream.setSubtype("application/json");
  auto file = QPDFFileSpecObjectHelper::createFileSpec(pdf, "certificate.json", stream);
  file.setDescription("Certificate, for akin check --replay");
  QPDFEmbeddedFileDocumentHelper(pdf).replaceEmbeddedFile("certificate.json", file);
}

}  // namespace

std::string accessible(const Typeset& made, const Content& content) {
  QPDF pdf, footers;
  pdf.processMemoryFile("report", made.pages.data(), made.pages.size());
  footers.processMemoryFile("footers", made.footers.data(), made.footers.size());
  complete_catalog(pdf, content.title, content.language);
  std::vector<QPDFPageObjectHelper> pages = QPDFPageDocumentHelper(pdf).getAllPages();
  std::vector<QPDFPageObjectHelper> lines = QPDFPageDocumentHelper(footers).getAllPages();
  for (std::size_t i = 0; i < pages.size(); ++i) {
    complete_links(pages[i], content.title);
    add_footer(pdf, pages[i], lines.at(i));
  }
  complete_fonts(pdf);
  if (!content.certificate.empty()) attach(pdf, content.certificate);
  QPDFWriter writer(pdf);
  writer.setOutputMemory();
  writer.setObjectStreamMode(qpdf_o_generate);
  writer.write();
  const std::shared_ptr<Buffer> written = writer.getBufferSharedPointer();
  return {reinterpret_cast<const char*>(written->getBuffer()), written->getSize()};
}

}  // namespace akin::report
