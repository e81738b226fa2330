#include "extract/claimed_type.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "extract/filter.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

using Claim = std::pair<std::string_view, std::string_view>;

constexpr std::array kNameClaims = {
    Claim{".pdf", "pdf"},     Claim{".djvu", "djvu"},   Claim{".djv", "djvu"},    Claim{".docx", "docx"},
    Claim{".doc", "doc"},     Claim{".odt", "odt"},     Claim{".epub", "epub"},   Claim{".fb2", "fb2"},
    Claim{".rtf", "rtf"},     Claim{".html", "html"},   Claim{".htm", "html"},    Claim{".xhtml", "html"},
    Claim{".txt", "text"},    Claim{".png", "picture"}, Claim{".jpg", "picture"}, Claim{".jpeg", "picture"},
    Claim{".tif", "picture"}, Claim{".tiff", "picture"}};

constexpr std::array kMediaClaims = {
    Claim{"application/pdf", "pdf"},
    Claim{"image/vnd.djvu", "djvu"},
    Claim{"image/x-djvu", "djvu"},
    Claim{"image/png", "picture"},
    Claim{"image/jpeg", "picture"},
    Claim{"image/tiff", "picture"},
    Claim{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"},
    Claim{"application/msword", "doc"},
    Claim{"application/vnd.oasis.opendocument.text", "odt"},
    Claim{"application/epub+zip", "epub"},
    Claim{"application/x-fictionbook+xml", "fb2"},
    Claim{"application/x-fictionbook", "fb2"},
    Claim{"application/x-zip-compressed-fb2", "fb2"},
    Claim{"application/rtf", "rtf"},
    Claim{"text/rtf", "rtf"},
    Claim{"application/xhtml+xml", "html"},
    Claim{"text/html", "html"}};

}  // namespace

std::string_view type_of_name(std::string_view name) {
  const std::string lower = ascii_lower(name);
  const auto found =
      std::ranges::find_if(kNameClaims, [&](const Claim& claim) { return lower.ends_with(claim.first); });
  return found == kNameClaims.end() ? std::string_view() : found->second;
}

std::string_view type_of_media(std::string_view media) {
  const auto found = std::ranges::find(kMediaClaims, media, &Claim::first);
  return found == kMediaClaims.end() ? std::string_view() : found->second;
}

std::string_view media_of_type(std::string_view type, std::string_view bytes) {
  if (type == "html") return "text/html";
  if (type == "text" || type == "mediawiki") return "text/plain";
  if (type == "picture")
    return bytes.starts_with("\x89PNG")    ? "image/png"
           : bytes.starts_with("\xFF\xD8") ? "image/jpeg"
                                           : "image/tiff";
  if (type == "fb2" && bytes.starts_with("PK")) return "application/x-zip-compressed-fb2";
  const auto found = std::ranges::find(kMediaClaims, type, &Claim::second);
  return found == kMediaClaims.end() ? std::string_view("application/octet-stream") : found->first;
}

void check_claim(Document& document, std::string_view claimed, std::string_view written) {
  if (claimed.empty() || claimed == document.type || document.type == kFilteredType) return;
  if (claimed == "doc" && document.type == "rtf") return;  // Word itself saves RTF under .doc
  FileAlert alert;
  alert.kind = FileAlertKind::type_contradicted;
  alert.characters = count_code_points(document.text);
  if (alert.characters == 0) return;  // nothing is compared, so nothing is disguised
  alert.share = 1;
  alert.sample = whole_characters(written, kSampleBytes);
  document.alerts.push_back(std::move(alert));
}

}  // namespace akin::extract
