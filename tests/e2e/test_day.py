"""A day at the desk by keyboard alone: no click, no script that acts for the reader. Files alone are put into their field, for a
browser's dialog for files belongs to the system."""
import json
import unittest

import browser
from program import CHAMELEON, LIBRARY, QUERY, story
from test_desk import Visitor

OWN = "Этого текста нигде больше нет: он придуман для проверки, в которой ничего не находится, и только для неё одной."
FOCUS = """(() => {
  const at = document.activeElement;
  return at === document.body ? '' : (at.labels?.[0]?.innerText ?? at.getAttribute('aria-label') ?? at.innerText ?? at.title).trim();
})()"""


class Keyboard:
    """Somebody with a keyboard before a page, who sees what has the focus."""

    def __init__(self, page: browser.Browser, test: unittest.TestCase):
        self.page, self.test = page, test
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def to(self, name: str, kind: str = "*") -> "Keyboard":
        """Tab after tab to what begins with the name; each stop shows where it is."""
        stops = []
        for _ in range(300):
            self.page.press("Tab")
            stops.append(self.page.run(FOCUS))
            if stops[-1].startswith(name) and self.page.run(f"document.activeElement.matches({kind!r})"):
                outline = self.page.run("getComputedStyle(document.activeElement).outlineStyle")
                self.test.assertNotEqual(outline, "none", name)
                return self
        self.test.fail(f"no Tab leads to {name!r}, only to {stops}")

    def paste(self, text: str) -> "Keyboard":
        self.page.call("Input.insertText", text=text)
        return self

    def press(self, *keys: str) -> "Keyboard":
        self.page.press(*keys)
        return self

    def follow(self, name: str, heading: str):
        self.to(name, "a").press("Enter")
        self.see(f"document.querySelector('h1')?.innerText == {heading!r}")

    def see(self, what: str):
        try:
            self.page.wait_for(f"document.readyState == 'complete' && ({what})")
        except TimeoutError:
            self.test.fail(f"{what} does not become true: " + self.page.run("location.pathname + document.body.innerText"))

    def read(self, text: str):
        self.see(f"document.querySelector('main').innerText.includes({text!r})")


@unittest.skipUnless(browser.program(), "Chromium is not installed")
class DayTest(Visitor):
    def test_a_librarian_signs_in_checks_reads_decides_and_looks_after_the_server(self):
        secret = self.akin("person", "add", "anna", "--name", "Anna Berg", "--role", "administrator", code=0).out.strip()
        with browser.Browser() as page:
            person = Keyboard(page, self)
            page.go(f"{self.server.url}/desk/")
            person.to("Secret or access key").paste(secret).press("Enter")
            person.read("No collection exists yet")
            self.make_a_collection(person)
            self.check_and_decide(person)
            self.accept_together(person)
            self.compare_and_find_duplicates(person)
            self.look_after_the_server(person)
            person.to("Sign out").press("Enter")
            person.see("location.pathname == '/desk/sign-in'")
            self.assertEqual([one for one in page.problems if "favicon" not in one], [])
        log = [json.loads(line) for line in self.akin("audit", "export", code=0).out.splitlines()]
        acts = {entry["action"] for entry in log if entry["by"]["id"] == "anna"}
        self.assertLessEqual({"check.marked", "check.decided", "policy.created", "person.created", "person.signed_in"}, acts)

    def make_a_collection(self, person: Keyboard):
        person.follow("Collections", "Collections")
        person.to("Name").paste("stories").press("Enter")
        person.see("document.querySelector('#file-stories') != null")
        person.page.choose_files("#file-stories", [str(path) for path in sorted(LIBRARY.iterdir())])
        person.to("Upload", "button").press("Enter")
        person.read("stored: 11")

    def hand_in(self, person: Keyboard, title: str, text: str):
        person.follow("Check a text", "Check a text")
        person.to("or paste the text").paste(text)
        person.to("Title").paste(title)
        person.to("Check", "button").press("Enter")
        person.see(f"document.querySelector('h1').innerText == {title!r} && document.querySelector('.text') != null")

    def check_and_decide(self, person: Keyboard):
        self.hand_in(person, "An essay", story()[1000:1900] + "\n\n" + story("chekhov-vanka.txt")[500:2500])
        page = person.page
        page.run("Promise.all([import('/desk/switches.js'), import('/desk/says.js')]).then(() => true)")
        person.press("n", "n", "p", "o")
        self.assertEqual(page.run("document.activeElement.id"), "p1")
        person.press("x")
        person.see("document.querySelector('#switch [name=revision]').value == 1")
        person.to("Undo the last change of marks", "button").press("Enter")
        person.see("document.querySelector('#switch [name=revision]').value == 2")
        page.run("Promise.all([import('/desk/switches.js'), import('/desk/says.js')]).then(() => true)")
        person.press("2", "c")
        person.see("document.querySelector('dialog[open] select') != null")
        person.press(*["ArrowDown"] * 2, "Tab", *"known", "Enter")
        person.see("document.querySelector('#switch [name=revision]').value == 3")
        person.see("document.querySelector('#source-2 > .note')?.innerText.includes('known')")
        person.to("State", "select").press("ArrowDown", "ArrowDown")
        person.to("Remark", "textarea").paste("Name your sources.")
        person.to("Decide", "button").press("Enter")
        person.read("State: returned to the author.")

    def accept_together(self, person: Keyboard):
        self.hand_in(person, "All my own", OWN)
        person.read("Nothing to object to")
        person.follow("Checks", "Checks")
        person.to("Part of the title").paste("my own").press("Enter")
        person.read("Checks: 1 (open 1)")
        person.to("Accept the checks", "button").press("Enter")
        person.read("accepted 1")

    def compare_and_find_duplicates(self, person: Keyboard):
        person.follow("Compare", "Compare two texts")
        person.to("First text").paste(QUERY.read_text(encoding="utf-8"))
        person.to("Second text").paste(story())
        person.to("Compare", "button").press("Enter")
        person.read("of the first text")
        person.follow("Collections", "Collections")
        person.follow("stories", "stories")
        person.to(CHAMELEON.removesuffix(".txt"), "a").press("Enter")
        person.read("Очумелов")
        person.follow("Collections", "Collections")
        person.follow("stories", "stories")
        person.to("Duplicates", "a").press("Enter")
        person.read("Nobody has looked for groups yet")
        person.to("Look", "button").press("Enter")
        person.read("Groups found: 0")

    def look_after_the_server(self, person: Keyboard):
        person.follow("Rules", "Rules")
        person.to("default", "a").press("Enter")
        person.to("A person should look: if so many per cent of the text were found")
        person.page.call("Input.dispatchKeyEvent", type="keyDown", key="a", modifiers=2, commands=["selectAll"])
        person.paste("20")
        person.to("Try on the last 100 checks", "button").press("Enter")
        person.read("Of the last 2 checks by these rules")
        person.to("Save", "button").press("Enter")
        person.see("location.pathname.startsWith('/desk/rules')")
        person.follow("Server", "Server")
        person.to("Rebuild", "button").press("Enter")
        person.read("rebuild")
        person.follow("Persons", "Persons")
        person.to("Id").paste("boris")
        person.to("Full name").paste("Boris")
        person.to("reader").press(" ")
        person.to("Add a person", "button").press("Enter")
        person.read("The secret of boris")
        person.follow("Log", "Log")
        person.to("Verify all entries", "a").press("Enter")
        person.read("entries are as they were written")


if __name__ == "__main__":
    unittest.main()
