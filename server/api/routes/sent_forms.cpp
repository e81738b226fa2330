#include "server/api/sent_forms.h"

#include <algorithm>
#include <utility>

#include "base/sha256.h"
#include "base/waiting.h"
#include "server/access/access.h"
#include "server/api/desk_return.h"
#include "server/api/read/form.h"

namespace akin::api {

namespace {

constexpr std::size_t kMostForms = 1000, kLargestAnswer = std::size_t{256} << 10U;

bool is_kept(const Result<Response>& made) {
  return made.has_value() && made->status < 400 && made->body.size() <= kLargestAnswer;
}

}  // namespace

Result<Response> SentForms::answer(const std::string& name, const std::function<Result<Response>()>& make) {
  constexpr std::chrono::seconds kPatience{30};
  auto mine = std::make_shared<Sent>();
  {
    std::unique_lock lock(mutex_);
    for (;;) {
      forget_old();
      const auto [place, is_first] = forms_.try_emplace(name, mine);
      if (is_first) break;
      const std::shared_ptr<Sent> first = place->second;
      const Waiting others_may_work;
      if (!ended_.wait_for(lock, kPatience, [&] { return first->has_ended; }))
        return Error{Errc::busy, "form", "it was sent twice, and the first is still being carried out",
                     "look whether it is done, before you send it again"};
      if (first->answer) return *first->answer;
    }
  }
  const auto end = [&](std::optional<Response> answer) {
    const std::lock_guard lock(mutex_);
    mine->has_ended = true;
    mine->answer = std::move(answer);
    if (!mine->answer) forms_.erase(name);
    ended_.notify_all();
  };
  try {
    Result<Response> made = make();
    end(is_kept(made) ? std::optional(*made) : std::nullopt);
    return made;
  } catch (...) {
    end(std::nullopt);
    throw;
  }
}

void SentForms::forget_old() {
  const auto now = Clock::now();
  std::erase_if(forms_,
                [&](const auto& one) { return one.second->has_ended && now - one.second->time >= kKept; });
  if (forms_.size() < kMostForms) return;
  const auto oldest = std::ranges::min_element(forms_, {}, [](const auto& one) { return one.second->time; });
  if (oldest->second->has_ended) forms_.erase(oldest);
}

std::optional<std::string> name_of_sending(const Request& request, const Form& form) {
  std::string_view once;
  std::string all = sha256_hex(request.grant ? request.grant->key().id : "") + sha256_hex(request.target);
  const auto add = [&](std::string_view name, std::string_view value) {
    if (name == desk::kOnce) once = value;
    all += sha256_hex(name) + sha256_hex(value);
  };
  for (const Parameter& field : form.fields) add(field.name, field.value);
  for (const FormFile& file : form.files) add(file.name, file.bytes);
  return once.empty() ? std::nullopt : std::optional(sha256_hex(all));
}

}  // namespace akin::api
