"""A machine for the scripts that set akin up: its own PATH, with apt and dpkg made up, its release, its user. Needs no root and
no network, and changes nothing of the machine that the tests run on.
"""
import pathlib
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# What the scripts take from every system.
TOOLS = (
    "awk bash cat cp cut dirname env flock grep head ls mkdir mktemp nproc printf python3 rm sed seq sh sleep sort tail tee touch wc"
).split()

# Answers as dpkg and apt do, from the files `installed` and `candidates`, of lines "PACKAGE VERSION".
APT = {
    "dpkg": 'exec /usr/bin/dpkg "$@"',
    "dpkg-query": """
        shift 3
        for wanted in "$@"; do
          while read -r name version; do case $name in $wanted) echo "installed $name $version" ;; esac; done <"$MACHINE/installed"
        done""",
    "apt-cache": """
        case $1 in
          search) grep -o '^libboost1[.][0-9]*-dev' "$MACHINE/candidates" | sed 's/$/ - Boost/' ;;
          depends) sed -n 's/^clang \\(.*:\\)\\{0,1\\}\\([0-9]*\\).*/  Depends: clang-\\2/p' "$MACHINE/candidates" ;;
          policy)
            shift
            for wanted in "$@"; do
              version=$(sed -n "s/^$wanted //p" "$MACHINE/candidates")
              [ -z "$version" ] || printf '%s:\\n  Installed: (none)\\n  Candidate: %s\\n  Version table:\\n' "$wanted" "$version"
            done ;;
        esac""",
    "apt-get": """
        echo "$*" >>"$MACHINE/apt-get.calls"
        case "$*" in
          update*)
            if [ -e "$MACHINE/no-mirror" ]; then
              echo "E: Failed to fetch http://mirror.test/InRelease" >&2
              case "$*" in *APT::Update::Error-Mode=any*) exit 100 ;; *) exit 0 ;; esac
            fi
            [ ! -e "$MACHINE/mirror" ] || cp "$MACHINE/mirror" "$MACHINE/candidates" ;;
          *install*)
            [ ! -e "$MACHINE/no-archives" ] || { echo "E: Unable to fetch some archives" >&2; exit 100; }
            for word in "$@"; do grep "^$word " "$MACHINE/candidates" >>"$MACHINE/installed" || true; done ;;
        esac""",
}

DEBIAN_12 = {
    "cmake": "3.25.1-1",
    "g++": "4:12.2.0-3",
    "libboost1.74-dev": "1.74.0+ds1-21",
    "libboost1.81-dev": "1.81.0-5+deb12u1",
    "libboost-dev": "1.74.0.3",
    "libicu-dev": "72.1-3",
    "libssl-dev": "3.0.15-1~deb12u1",
    "libcurl4-openssl-dev": "7.88.1-10+deb12u8",
    "libxml2-dev": "2.9.14+dfsg-1.3~deb12u1",
    "nlohmann-json3-dev": "3.11.2-2",
    "libcli11-dev": "2.1.2+ds-1",
    "libspdlog-dev": "1:1.10.0+ds-0.4",
    "libgtest-dev": "1.12.1-0.2",
    "clang": "1:14.0-55.7~deb12u1",
}
UBUNTU_24_04 = DEBIAN_12 | {
    "cmake": "3.28.3-1build7",
    "g++": "4:13.2.0-7ubuntu1",
    "libboost1.74-dev": None,
    "libboost1.81-dev": None,
    "libboost1.83-dev": "1.83.0-2.1ubuntu3",
    "libboost-dev": "1.83.0.1ubuntu2",
    "libicu-dev": "74.2-1ubuntu3",
    "nlohmann-json3-dev": "3.11.3-1",
    "clang": "1:18.0-59~exp2",
}
UBUNTU_22_04 = DEBIAN_12 | {
    "cmake": "3.22.1-1ubuntu1",
    "g++": "4:11.2.0-1ubuntu1",
    "libboost1.81-dev": None,
    "libboost-dev": "1.74.0.3ubuntu7",
    "libicu-dev": "70.1-2",
    "libcurl4-openssl-dev": "7.81.0-1",
    "nlohmann-json3-dev": "3.10.5-2",
    "libspdlog-dev": "1:1.9.2+ds-0.2",
}


def package_names(list_name: str) -> list[str]:
    """The packages of one list of tools/install-packages, by the names that the script has for them."""
    script = (SOURCE / "tools" / "install-packages").read_text(encoding="utf-8")
    return script.split(f'\n{list_name}="')[1].split('"')[0].split()


class Machine:
    def __init__(self, folder: pathlib.Path, *, release: str = "Debian GNU/Linux 12 (bookworm)", has: dict | None = None, root: bool = True):
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        for name, script in APT.items():
            self.program(name, script)
        self.program("id", f"echo {0 if root else 1000}")
        self.program("cmake", "echo cmake version 3.25.1")
        self.program("c++", "case $1 in --version) echo 'c++ (Debian) 12.2.0' ;; -dumpversion) echo 12 ;; esac")
        (folder / "os-release").write_text(f'PRETTY_NAME="{release}"\nID=made-up\n', encoding="utf-8")
        (folder / "installed").touch()
        self.offer(DEBIAN_12 if has is None else has)

    def offer(self, versions: dict, into: str = "candidates"):
        """What apt could install: the packages that akin wants, in these versions."""
        plain = {name: "1" for name in package_names("build") + package_names("test") if not name.startswith("@")}
        lines = [f"{name} {version}\n" for name, version in (plain | versions).items() if version]
        (self.folder / into).write_text("".join(lines), encoding="utf-8")

    def install_all(self):
        shutil.copy(self.folder / "candidates", self.folder / "installed")

    def program(self, name: str, script: str):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def without(self, *names: str):
        for name in names:
            (self.bin / name).unlink(missing_ok=True)

    def flag(self, name: str):
        (self.folder / name).touch()

    @property
    def installed(self) -> set[str]:
        return {line.split()[0] for line in (self.folder / "installed").read_text(encoding="utf-8").splitlines()}

    @property
    def apt_calls(self) -> list[str]:
        calls = self.folder / "apt-get.calls"
        return calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []

    def run(self, *command, **environment) -> tuple[int, str]:
        """Exit code and all that was printed; without a terminal."""
        done = subprocess.run(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env={
                "PATH": str(self.bin),
                "MACHINE": str(self.folder),
                "HOME": str(self.folder),
                "AKIN_OS_RELEASE": str(self.folder / "os-release"),
                "LC_ALL": "C.UTF-8",
                **environment,
            },
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout.decode()
