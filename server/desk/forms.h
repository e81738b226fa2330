// Forms of the desk: every field has a label, and works without a script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/desk/words.h"
#include "server/json/json.h"

namespace akin::desk {

/// A labelled field; `input` is HTML, `hint` may be empty.
[[nodiscard]] std::string field(std::string_view name, std::string_view label, std::string_view input,
                                std::string_view hint = {});

/// `more`: further attributes, HTML.
[[nodiscard]] std::string input(std::string_view name, std::string_view type, std::string_view more = {});
/// The attribute with a field's value at first.
[[nodiscard]] std::string value_attribute(std::string_view value);
[[nodiscard]] std::string hidden(std::string_view name, std::string_view value);
[[nodiscard]] std::string text_area(std::string_view name, std::string_view value, int rows);

/// A labelled check box; `checked`: set at first.
[[nodiscard]] std::string check_box(std::string_view name, std::string_view value, std::string_view label,
                                    bool checked);

struct Option {
  std::string_view value, text;
};
[[nodiscard]] std::string select(std::string_view name, const std::vector<Option>& options,
                                 std::string_view selected = {});
[[nodiscard]] std::string select(std::string_view name, const std::vector<std::string>& values);

[[nodiscard]] std::string fieldset(std::string_view legend, std::string_view fields);

/// A check box for each option; `chosen`: an array of the values that are set at first.
[[nodiscard]] std::string check_boxes(std::string_view legend, std::string_view name,
                                      const std::vector<Option>& options, const json::Json& chosen);
[[nodiscard]] std::vector<Option> options_of(const std::vector<Named>& list);

/// A form that is posted to the path `action`; `fields` is HTML.
[[nodiscard]] std::string form(std::string_view action, std::string_view fields, std::string_view button);
/// A form with files; where scripts run, it shows how much of them has been sent.
[[nodiscard]] std::string file_form(const Words& words, std::string_view action, std::string_view fields,
                                    std::string_view button);

/// A button that posts one field, such as the name of a collection.
[[nodiscard]] std::string button(std::string_view action, std::string_view name, std::string_view value,
                                 std::string_view text);

}  // namespace akin::desk
