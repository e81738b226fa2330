"""tools/install-packages on machines of many kinds: what it installs, and what it says where it cannot."""
import pathlib
import re
import shutil
import tempfile
import unittest

from fake_machine import DEBIAN_12, SOURCE, UBUNTU_22_04, UBUNTU_24_04, Machine

SCRIPT = SOURCE / "tools" / "install-packages"


class InstallTest(unittest.TestCase):
    def machine(self, **kind) -> Machine:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-machine-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return Machine(folder, **kind)

    def install(self, machine: Machine, what: str = "build", code: int = 0, **environment) -> str:
        done, told = machine.run(SCRIPT, what, **environment)
        self.assertEqual(done, code, told)
        return told

    def refused(self, machine: Machine, *expected: str, **environment) -> str:
        """It ends with exit code 2, has installed nothing, and says all this."""
        before = machine.installed
        told = self.install(machine, code=2, **environment)
        for words in expected:
            self.assertIn(words, told)
        self.assertEqual(machine.installed, before)
        return told


class PackagesTest(InstallTest):
    def test_a_bare_debian_12_gets_the_boost_that_suffices(self):
        machine = self.machine()
        self.install(machine)
        self.assertLessEqual({"g++", "cmake", "libboost1.81-dev", "hunspell-ru"}, machine.installed)
        self.assertNotIn("libboost1.74-dev", machine.installed)

    def test_other_releases_get_packages_by_their_own_names(self):
        machine = self.machine(release="Ubuntu 24.04.1 LTS", has=UBUNTU_24_04)
        machine.offer(UBUNTU_24_04 | {"libboost1.88-dev": "1.88.0-1", "libclang-rt-18-dev": "1:18.1.3"})
        self.install(machine, "test")
        self.assertLessEqual({"libboost1.83-dev", "libclang-rt-18-dev"}, machine.installed)
        self.assertNotIn("libboost1.88-dev", machine.installed)

    def test_where_all_is_there_apt_is_not_called(self):
        machine = self.machine(root=False)
        machine.install_all()
        self.assertEqual(self.install(machine), "")
        self.assertEqual(machine.apt_calls, [])

    def test_a_new_machine_learns_of_its_packages_first(self):
        machine = self.machine()
        (machine.folder / "candidates").rename(machine.folder / "mirror")
        (machine.folder / "candidates").touch()
        self.install(machine)
        self.assertIn("libboost1.81-dev", machine.installed)

    def test_sudo_is_used_where_it_asks_for_no_password(self):
        machine = self.machine(root=False)
        machine.program("sudo", '[ "$1" = -n ] && shift; echo "$1" >>"$MACHINE/sudo.calls"; exec "$@"')
        machine.program("true", "")
        self.install(machine)
        self.assertIn("cmake", machine.installed)
        self.assertEqual((machine.folder / "sudo.calls").read_text(encoding="utf-8").split(), ["true", "apt-get", "env"])


class RefusalTest(InstallTest):
    def administrators_line(self, machine: Machine):
        told = self.refused(machine, "only an administrator can install them")
        line = re.search(r"^  apt-get update && apt-get install --no-install-recommends (.*)$", told, re.MULTILINE)
        self.assertIsNotNone(line, told)
        self.assertLessEqual({"g++", "libboost1.81-dev", "python3-yaml"}, set(line.group(1).split()))
        self.assertEqual(machine.apt_calls, [])

    def test_without_root_it_prints_the_line_for_an_administrator(self):
        self.administrators_line(self.machine(root=False))

    def test_so_it_does_where_sudo_wants_a_password_and_there_is_no_terminal(self):
        machine = self.machine(root=False)
        machine.program("sudo", "echo 'sudo: a password is required' >&2; exit 1")
        self.administrators_line(machine)

    def test_a_mirror_that_cannot_be_reached_is_named_as_the_reason(self):
        machine = self.machine(has={})
        (machine.folder / "candidates").write_text("", encoding="utf-8")
        machine.flag("no-mirror")
        self.refused(machine, "E: Failed to fetch", "no package mirror can be reached", "Check the network")

    def test_a_mirror_that_fails_later_is_too(self):
        machine = self.machine()
        machine.flag("no-archives")
        self.refused(machine, "E: Unable to fetch", "the packages cannot be installed", "Check the network".lower())

    def test_old_lists_of_packages_suffice_while_archives_come(self):
        machine = self.machine()
        machine.flag("no-mirror")
        self.install(machine)
        self.assertIn("cmake", machine.installed)

    def test_an_older_release_is_told_what_is_too_old_there(self):
        machine = self.machine(release="Ubuntu 22.04.4 LTS", has=UBUNTU_22_04)
        told = self.refused(machine, "Ubuntu 22.04.4 LTS has versions that are too old", "Build akin on Debian 12, Ubuntu 24.04 or later")
        self.assertEqual(
            sorted(re.findall(r"^  (\S+) (\S+); akin needs (\S+)$", told, re.MULTILINE)),
            [
                ("cmake", "3.22.1-1ubuntu1", "3.25"),
                ("libboost-dev", "1.74.0.3ubuntu7", "1.81"),
                ("libcurl4-openssl-dev", "7.81.0-1", "7.85"),
                ("libicu-dev", "70.1-2", "72"),
                ("libspdlog-dev", "1.9.2+ds-0.2", "1.10"),
                ("nlohmann-json3-dev", "3.10.5-2", "3.11"),
            ],
        )

    def test_packages_that_are_there_but_too_old_are_named(self):
        machine = self.machine(has=DEBIAN_12 | {"libicu-dev": "67.1-7"})
        machine.install_all()
        self.refused(machine, "  libicu-dev 67.1-7; akin needs 72\n")

    def test_a_package_that_apt_does_not_know_is_named(self):
        self.refused(self.machine(has=DEBIAN_12 | {"hunspell-ru": None}), "apt knows no package hunspell-ru", "add-apt-repository universe")

    def test_a_system_without_apt_is_shown_the_container(self):
        machine = self.machine(release="Fedora Linux 40")
        machine.without("apt-get", "apt-cache", "dpkg", "dpkg-query")
        self.refused(machine, "Fedora Linux 40 has no apt", "in a container")


class ToolsTest(InstallTest):
    def ready(self) -> Machine:
        machine = self.machine()
        machine.install_all()
        return machine

    def test_an_old_cmake_that_is_found_first_is_named(self):
        machine = self.ready()
        machine.program("cmake", "echo cmake version 3.22.1")
        self.refused(machine, f"{machine.bin}/cmake is version 3.22.1; akin needs 3.25")

    def test_an_old_compiler_is_named(self):
        machine = self.ready()
        machine.program("c++", "case $1 in --version) echo 'c++ 9.5.0' ;; -dumpversion) echo 9 ;; esac")
        self.refused(machine, "the compiler c++ is GCC 9;", "needs GCC 11 or Clang 14", "CXX=g++-12 ./quickstart")

    def test_the_compiler_is_the_one_that_cxx_names(self):
        machine = self.ready()
        machine.program("clang++-13", "case $1 in --version) echo 'Debian clang version 13.0.1' ;; -dumpversion) echo 13.0.1 ;; esac")
        self.refused(machine, "the compiler clang++-13 is Clang 13.0.1;", CXX="clang++-13")
        self.refused(machine, "the compiler g++-99 is GCC of an unknown version;", CXX="g++-99")

    def test_versions_are_those_of_cmakelists(self):
        script = SCRIPT.read_text(encoding="utf-8").split("oldest() {")[1].split("esac")[0]
        oldest = dict(re.findall(r"^    (\S+)(?: \| \S+)?\) echo (\S+) ;;$", script, re.MULTILINE))
        cmake = (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")
        asked = dict(re.findall(r"find_package\((\w+) ([0-9.]+)", cmake))
        asked["cmake"] = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", cmake).group(1)
        names = {
            "cmake": "cmake",
            "Boost": "libboost-dev",
            "OpenSSL": "libssl-dev",
            "ICU": "libicu-dev",
            "nlohmann_json": "nlohmann-json3-dev",
            "CLI11": "libcli11-dev",
            "spdlog": "libspdlog-dev",
            "CURL": "libcurl4-openssl-dev",
            "LibXml2": "libxml2-dev",
            "GTest": "libgtest-dev",
        }
        self.assertEqual({names[name]: version for name, version in asked.items()}, {k: v for k, v in oldest.items() if k != "g++"})


if __name__ == "__main__":
    unittest.main()
