"""akin below a path of a site: the files of docs/proxy.md, run by nginx, Caddy and Apache."""
import base64
import html
import http.client
import http.server
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import threading
import time
import urllib.parse

import yaml

from program import SOURCE, AkinTest, story
from server_process import Server

SITE = "library.example"
CLIENT = "127.0.0.2"  # of this machine, but not the proxy's
MODULES = "/usr/lib/apache2/modules"


def page_blocks(language: str) -> list[str]:
    page = (SOURCE / "docs" / "proxy.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class SiteConnection(http.client.HTTPSConnection):
    """To the proxy of this machine, by the site's name."""

    def __init__(self, port: int):
        self.trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # a default one reads the authorities of the system
        self.trust.check_hostname, self.trust.verify_mode = False, ssl.CERT_NONE
        super().__init__(SITE, port, timeout=60, context=self.trust)

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, (CLIENT, 0))
        self.sock = self.trust.wrap_socket(plain, server_hostname=SITE)


class Client:
    """Asks the site as a browser with cookies does."""

    def __init__(self, port: int):
        self.port, self.cookies = port, {}

    def ask(self, method: str, path: str, body: bytes = b"", **fields) -> tuple[int, dict, str]:
        connection = SiteConnection(self.port)
        cookies = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        connection.request(method, path, body or None, {"Accept": "text/html", "Host": SITE, **cookies, **fields})
        answer = connection.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
        body = answer.read().decode(errors="replace")
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


class ProxyTest(AkinTest):
    """A server, with a proxy before it that a test starts."""

    FLAGS: tuple[str, ...] = ()

    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.certificate, self.key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={SITE}",
             "-keyout", self.key, "-out", self.certificate],
            check=True, capture_output=True,
        )  # fmt: skip
        self.secret = self.akin("key", "create", "--scope", "admin", code=0).out.split()[-1]
        self.log = self.folder / "akin.log"
        with self.log.open("wb") as log:
            self.server = Server(
                self, "--public-url", f"https://{SITE}/akin", "--trusted-proxy", "127.0.0.1", "--log-format", "json",
                *self.FLAGS, log=log,
            )  # fmt: skip
        self.client = Client(self.port)

    def adapted(self, block: str) -> str:
        """With the test's own ports and certificate."""
        for pattern, own in (
            (r"/etc/letsencrypt/live/library\.example/fullchain\.pem", str(self.certificate)),
            (r"/etc/letsencrypt/live/library\.example/privkey\.pem", str(self.key)),
            (r"127\.0\.0\.1:7878", f"127.0.0.1:{self.server.port}"),
            (r"\*:443", f"127.0.0.1:{self.port}"),
            (r"listen 443", f"listen 127.0.0.1:{self.port}"),
        ):
            block = re.sub(pattern, own, block)
        return block

    def start(self, *command, **environment):
        with (self.folder / "proxy.err").open("wb") as errors:
            process = subprocess.Popen(
                [*map(str, command)], cwd=self.folder, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=errors
            )
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.terminate)
        self.when(lambda: listens(self.port), "the proxy listens")

    def nginx(self, block: str):
        folder = self.folder
        own = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        file = self.write("nginx.conf", f"""daemon off;
{user}pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{}}
http {{
access_log off;
{own}
{self.adapted(block)}
}}
""")
        self.start("/usr/sbin/nginx", "-p", folder, "-c", file, "-e", folder / "nginx.log")

    def caddy(self, block: str):
        site = f"https://{SITE}:{self.port} {{\n  bind 127.0.0.1\n  tls {self.certificate} {self.key}\n"
        own = self.adapted(block).replace(f"{SITE} {{\n", site, 1)
        file = self.write("Caddyfile", f"{{\n  admin off\n  auto_https off\n}}\n{own}")
        home = str(self.folder)
        self.start("/usr/bin/caddy", "run", "--config", file, "--adapter", "caddyfile", HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home)

    def apache(self, block: str, *more: str):
        modules = ("mpm_event", "authn_core", "authz_core", "authz_user", "ssl", "socache_shmcb", "proxy", "proxy_http", "headers", *more)
        loaded = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in modules)
        user = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
        self.folder.chmod(0o755)
        file = self.write("apache.conf", f"""ServerRoot {self.folder}
ServerName {SITE}
PidFile {self.folder}/apache.pid
ErrorLog {self.folder}/apache.log
DefaultRuntimeDir {self.folder}
Mutex posixsem
{user}Listen 127.0.0.1:{self.port}
{loaded}{self.adapted(block)}
""")
        self.start("/usr/sbin/apache2", "-X", "-f", file)

    def peers(self) -> set[str]:
        lines = [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]
        return {line["peer"] for line in lines if line.get("event") == "request"}


class Files(ProxyTest):
    """The files as the page has them."""

    def bulk(self, **fields) -> tuple[int, dict, str]:
        lines = "".join(json.dumps({"id": f"d{number}", "text": story()}) + "\n" for number in range(50))
        return self.client.ask(
            "POST", "/akin/v1/collections/stories/bulk", lines.encode(),
            **{"Content-Type": "application/x-ndjson", **fields},
        )  # fmt: skip

    def serves(self):
        admin = {"Authorization": f"Bearer {self.secret}"}
        ask = self.client.ask
        # The interface.
        self.assertEqual(ask("PUT", "/akin/v1/collections/stories", **admin)[0], 201)
        text = {"Content-Type": "text/plain", **admin}
        self.assertEqual(ask("PUT", "/akin/v1/collections/stories/documents/a%2Fb", story().encode(), **text)[0], 201)
        self.assertIn('"a/b"', ask("GET", "/akin/v1/collections/stories/documents", **admin)[2])
        status, fields, _ = ask("POST", "/akin/v1/collections/stories/documents", story().encode(), **text)
        self.assertEqual((status, fields["location"][:40]), (201, "/akin/v1/collections/stories/documents/d"))
        self.assertEqual(ask("GET", fields["location"], **admin)[0], 200)
        status, _, lines = self.bulk(**admin)
        self.assertEqual((status, json.loads(lines.splitlines()[-1])["summary"]["created"]), (200, 50))
        # Who asks is who the proxy says, whatever the client claims.
        ask("GET", "/akin/livez", **{"X-Forwarded-For": "203.0.113.9"})
        self.assertEqual(self.peers(), {CLIENT})
        # The desk: every link of a page leads below the path, and its forms are taken.
        status, fields, _ = ask("GET", "/akin/", Accept="text/html")
        self.assertEqual((status, fields["location"]), (302, "/akin/desk/"))
        page = ask("GET", "/akin/desk/sign-in")[2]
        links = re.findall(r'(?:href|action)="(/[^"]*)"', page)
        self.assertGreater(len(links), 3)
        for link in links:
            self.assertTrue(link.startswith("/akin/"), link)
        self.assertEqual(ask("GET", "/akin/desk/desk.css")[0], 200)
        form = urllib.parse.urlencode({"key": self.secret}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"https://{SITE}", "Sec-Fetch-Site": "same-origin"}
        status, fields, page = ask("POST", "/akin/desk/sign-in", form, **kind)
        self.assertEqual((status, fields["location"]), (303, "/akin/desk/"), page)
        self.assertIn("; Path=/akin/desk; HttpOnly; SameSite=Strict; Secure", fields["set-cookie"])
        self.assertEqual(ask("GET", "/akin/desk/collections")[0], 200)
        foreign = {**kind, "Origin": "https://elsewhere.example"}
        self.assertEqual(ask("POST", "/akin/desk/collections", b"name=other", **foreign)[0], 403)
        self.stays_below_the_path(admin)

    def stays_below_the_path(self, admin: dict):
        """What answers say of addresses leads below the path: links of all pages, Location, descriptions, problems."""
        ask = self.client.ask
        text = {"Content-Type": "text/plain", **admin}
        check = ask("POST", "/akin/v1/checks?collections=stories", story().encode(), **text)
        task = ask("POST", "/akin/v1/collections/stories/pairs", **admin)
        for status, fields, _ in (check, task, ask("GET", "/akin/docs"), ask("GET", "/akin/desk")):
            self.assertIn(status, (201, 202, 301, 302, 303, 307, 308))
            self.assertTrue(fields["location"].startswith("/akin/"), fields["location"])
        self.assertEqual(ask("GET", f"{task[1]['location']}?wait=30", **admin)[0], 200)
        self.assertEqual(json.loads(ask("GET", "/akin/openapi.json")[2])["servers"][0]["url"], "/akin/")
        problem = json.loads(ask("GET", "/akin/v1/collections/none", **admin)[2])
        self.assertEqual(problem["type"], "/akin/docs/errors#not_found")
        self.assertEqual(ask("GET", problem["type"].split("#")[0])[0], 200)
        waiting, seen = ["/akin/desk/", "/akin/docs/"], {"/akin/desk/", "/akin/docs/", "/akin/desk/sign-out"}
        while waiting:
            page = waiting.pop()
            status, fields, content = ask("GET", page)
            self.assertEqual(status, 200, page)
            if not fields["content-type"].startswith("text/html"):
                continue
            for kind, link in re.findall(r'\b(href|src|action|formaction)="([^"]*)"', content):
                target = urllib.parse.urlsplit(urllib.parse.urljoin(page, html.unescape(link)))
                if target.scheme:  # elsewhere
                    continue
                self.assertTrue(target.path.startswith("/akin/"), f"{page} leads to {link}")
                if kind in ("href", "src") and target.path not in seen:
                    seen.add(target.path)
                    waiting.append(urllib.parse.urlunsplit(("", "", target.path, target.query, "")))
        self.assertGreater(len(seen), 60)

    def test_nginx(self):
        self.nginx(page_blocks("nginx")[0])
        self.serves()

    def test_nginx_as_it_is_usually_set_up(self):
        """HTTP/1.0, buffers, the proxy's own name as Host, and the path taken away."""
        block = page_blocks("nginx")[0]
        block = re.sub(r"    proxy_(http_version|request_buffering|buffering) .*\n", "", block)
        block = block.replace("proxy_pass http://127.0.0.1:7878;", "proxy_pass http://127.0.0.1:7878/;")
        # A path that is taken away is decoded.
        self.nginx(block)
        admin = {"Authorization": f"Bearer {self.secret}"}
        self.assertEqual(self.client.ask("PUT", "/akin/v1/collections/stories", **admin)[0], 201)
        status, _, lines = self.bulk(**admin)
        self.assertEqual((status, json.loads(lines.splitlines()[-1])["summary"]["created"]), (200, 50))
        self.assertIn('href="/akin/desk/desk.css"', self.client.ask("GET", "/akin/desk/sign-in")[2])

    def test_caddy(self):
        self.caddy(page_blocks("caddyfile")[0])
        self.serves()

    def test_apache(self):
        self.apache(page_blocks("apache")[0])
        self.serves()

    def test_compose(self):
        """The settings and the Caddyfile of packaging/compose.yaml, without containers."""
        packaging = SOURCE / "packaging"
        composed = yaml.safe_load((packaging / "compose.yaml").read_text(encoding="utf-8"))
        akin, proxy = composed["services"]["akin"], composed["services"]["proxy"]
        settings = dict(akin["environment"])
        self.assertEqual(settings["AKIN_SERVE_TRUSTED_PROXY"], composed["networks"]["default"]["ipam"]["config"][0]["subnet"])
        self.assertEqual(settings["AKIN_SERVE_ADMIN_KEY_FILE"], f"/run/secrets/{akin['secrets'][0]}")
        self.assertEqual(set(akin["secrets"]), set(composed["secrets"]))
        self.assertIn("./Caddyfile:/etc/caddy/Caddyfile:ro", proxy["volumes"])
        self.assertEqual(proxy["depends_on"], {"akin": {"condition": "service_healthy"}})
        settings["AKIN_SERVE_PUBLIC_URL"] = re.sub(r"\$\{AKIN_SITE[^}]*\}", SITE, settings["AKIN_SERVE_PUBLIC_URL"])
        settings["AKIN_SERVE_TRUSTED_PROXY"] = "127.0.0.1"
        self.secret = "x" * 40
        settings["AKIN_SERVE_ADMIN_KEY_FILE"] = str(self.write("admin-key", self.secret + "\n"))
        self.server.close()
        self.environment |= settings
        with self.log.open("wb") as log:
            self.server = Server(self, "--log-format", "json", log=log)
        block = (packaging / "Caddyfile").read_text(encoding="utf-8")
        self.caddy(block.replace("{$AKIN_SITE}", SITE).replace("akin:7878", "127.0.0.1:7878"))
        self.serves()


class Provider(http.server.BaseHTTPRequestHandler):
    """The little of an OpenID provider that a sign-on asks for: everybody is who PERSON says."""

    PERSON = "Anna@Library.example"
    key: pathlib.Path
    url: str
    nonce = ""

    def log_message(self, *_):
        pass

    def give(self, what: dict):
        body = json.dumps(what).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @staticmethod
    def encoded(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    def do_GET(self):
        asked = urllib.parse.urlparse(self.path)
        if asked.path.startswith("/.well-known"):
            ends = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
            self.give({
                "issuer": self.url, "response_types_supported": ["code"],
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
                **{name: self.url + path for name, path in ends.items()},
            })  # fmt: skip
        elif asked.path == "/keys":
            modulus = subprocess.run(["openssl", "rsa", "-in", self.key, "-noout", "-modulus"], check=True, capture_output=True).stdout
            number = bytes.fromhex(modulus.decode().strip().partition("=")[2])
            self.give({"keys": [{"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256", "e": "AQAB", "n": self.encoded(number)}]})
        else:
            query = dict(urllib.parse.parse_qsl(asked.query))
            type(self).nonce = query["nonce"]
            self.send_response(302)
            self.send_header("Location", query["redirect_uri"] + "?" + urllib.parse.urlencode({"code": "1", "state": query["state"]}))
            self.send_header("Content-Length", "0")
            self.end_headers()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        now = int(time.time())
        claims = {"iss": self.url, "sub": "17", "aud": "akin", "iat": now, "exp": now + 600, "nonce": self.nonce, "email": self.PERSON}
        parts = [self.encoded(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "1"}, claims)]
        signature = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.key], input=".".join(parts).encode(), check=True, capture_output=True
        ).stdout
        self.give({"access_token": "x", "token_type": "Bearer", "expires_in": 600, "id_token": ".".join([*parts, self.encoded(signature)])})


class SingleSignOn(ProxyTest):
    """OpenID Connect by Apache's module, as the page has it."""

    FLAGS = ("--person-header", "X-Akin-Person", "--person-role", "author")
    FORM = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"https://{SITE}"}

    def setUp(self):
        super().setUp()
        provider = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
        self.addCleanup(provider.server_close)
        self.addCleanup(provider.shutdown)
        Provider.key = self.folder / "provider.pem"
        subprocess.run(["openssl", "genrsa", "-out", Provider.key, "2048"], check=True, capture_output=True)
        Provider.url = f"http://127.0.0.1:{provider.server_port}"
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        block = page_blocks("apache")[1].replace("https://login.example", Provider.url)
        self.apache(block + "OIDCProviderTokenEndpointAuth client_secret_post\nOIDCCacheShmMax 50\n", "auth_openidc")

    def follow(self, path: str) -> tuple[int, str]:
        """The page to which a browser comes."""
        for _ in range(6):
            status, fields, body = self.client.ask("GET", path)
            if status not in (302, 303):
                return status, body
            target = urllib.parse.urlparse(fields["location"])
            if target.netloc == urllib.parse.urlparse(Provider.url).netloc:
                asked = http.client.HTTPConnection(target.netloc)
                asked.request("GET", f"{target.path}?{target.query}")
                target = urllib.parse.urlparse(asked.getresponse().getheader("Location"))
                asked.close()
            path = target.path + (f"?{target.query}" if target.query else "")
        return 0, ""

    def test_a_person_signs_on_at_the_provider_and_hands_in(self):
        status, page = self.follow("/akin/desk/")
        self.assertEqual(status, 200, page)
        self.assertIn("anna@library.example", page)
        person = json.loads(self.client.ask("GET", "/akin/v1/persons/anna@library.example", Authorization=f"Bearer {self.secret}")[2])
        self.assertEqual(person["roles"], ["author"])
        # An author makes no collection, until an administrator says otherwise.
        def make():
            found = re.search(r'name="form-token" value="(\w+)"', self.client.ask("GET", "/akin/desk/collections")[2])
            token = found.group(1) if found else ""  # an author's page has no form
            return self.client.ask("POST", "/akin/desk/collections", f"form-token={token}&name=theses".encode(), **self.FORM)[0]

        self.assertEqual(make(), 403)
        self.akin("person", "add", "anna@library.example", "--name", "Anna", "--role", "administrator", code=0)
        forged = self.client.ask("POST", "/akin/desk/collections", b"name=theses", **self.FORM)
        self.assertEqual(forged[0], 403)
        self.assertIn("Nothing has been changed yet", forged[2])
        self.assertEqual(make(), 303)

    def test_a_client_cannot_say_who_it_is(self):
        claimed = {"X-Akin-Person": "anna@library.example"}
        self.assertEqual(self.client.ask("GET", "/akin/v1/collections", **claimed)[0], 401)
        self.assertEqual(self.client.ask("GET", "/akin/desk/", **claimed)[0], 302)

    def test_programs_keep_their_keys(self):
        self.assertEqual(self.client.ask("GET", "/akin/v1/collections", Authorization=f"Bearer {self.secret}")[0], 200)


class Refused(AkinTest):
    def test_a_public_url_needs_keys(self):
        refused = self.akin("serve", "--listen", "127.0.0.1:0", "--public-url", "https://library.example", code=2)
        self.assertIn("there is no access key", refused.err)
        self.assertIn("or leave --public-url out", refused.err)

    def test_a_person_header_needs_a_trusted_proxy(self):
        refused = self.akin("serve", "--listen", "127.0.0.1:0", "--person-header", "X-Person", code=2)
        self.assertIn("--trusted-proxy", refused.err)

