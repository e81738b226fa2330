"""tools/sbom: the bill of materials of the package."""
import json
import re
import subprocess
import unittest

from program import SOURCE


class SbomTest(unittest.TestCase):
    def test_it_has_every_library_of_the_page_with_its_version(self):
        made = json.loads(subprocess.run([SOURCE / "tools" / "sbom", "1.2.3"], check=True, capture_output=True).stdout)
        self.assertEqual((made["bomFormat"], made["specVersion"], made["metadata"]["component"]["version"]), ("CycloneDX", "1.5", "1.2.3"))
        page = (SOURCE / "docs" / "licences.md").read_text(encoding="utf-8").partition("## Dictionaries")[0]
        listed = set(re.findall(r"^\| [^|]+ \| `([^`|]+)` \|", page, re.MULTILINE))
        self.assertGreater(len(listed), 20)
        packages = {re.fullmatch(r"pkg:deb/\w+/([^@]+)@(.+)\?distro=.+", one["purl"]).group(1) for one in made["components"]}
        self.assertEqual(packages, listed)
        for one in made["components"]:
            self.assertRegex(one["version"], r"^\d", one["name"])
            self.assertTrue(one["licenses"][0]["license"]["name"])
