"""Texts for the tables of `secrets`. Every token is put together here from parts and digests: none is real, and none
stands in a file whole."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import string
import tarfile
import zipfile

_LETTERS = string.ascii_letters + string.digits


def letters(count: int, seed: str = "a", alphabet: str = _LETTERS) -> str:
    """So many letters, the same each time."""
    stream = b"".join(hashlib.sha512(f"{seed}{n}".encode()).digest() for n in range(count // 64 + 1))
    return "".join(alphabet[byte % len(alphabet)] for byte in stream[:count])


HEX, UPPER, DIGITS = "0123456789abcdef", string.ascii_uppercase + "234567", string.digits
GITHUB = "gh" + "p_" + letters(36)
SECOND = "gh" + "p_" + letters(36, "b")


def pem(kind: str = "RSA ") -> str:
    """A private key's shape."""
    lines = "\n".join(letters(64, str(n)) for n in range(12))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----\n"


JWT = ".".join(
    base64.urlsafe_b64encode(part).decode().rstrip("=")
    for part in (
        b'{"alg":"HS256","typ":"JWT"}',
        b'{"sub":"1234567890","name":"Some Body","iat":1516239022}',
        hashlib.sha256(b"x").digest(),
    )
)


def zipped(**files: str) -> bytes:
    """A ZIP archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.txt", text)
    return data.getvalue()


def tarred(text: str) -> bytes:
    """A compressed tape archive."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        info = tarfile.TarInfo("d/conf.txt")
        info.size = len(text.encode())
        archive.addfile(info, io.BytesIO(text.encode()))
    return data.getvalue()


#: (name, path, content): a fail.
BAD: list[tuple[str, str, str | bytes]] = [
    ("GitHub", "src/a.py", f'TOKEN = "{GITHUB}"\n'),
    ("GitHub in a comment", "src/a.py", f"# {GITHUB}\n"),
    ("GitHub, fine-grained", "src/a.py", f"x = 'github_{'pat'}_{letters(22)}_{letters(59)}'\n"),
    ("a comment that asks to look away", "src/a.py", f'TOKEN = "{GITHUB}"  # gitleaks:allow kingfisher:ignore nosec pragma: allowlist secret\n'),
    ("Betterleaks' comment", "src/a.py", f'TOKEN = "{GITHUB}"  # betterleaks:allow\n'),
    ("AWS", "src/a.py", f'key = "AKIA{letters(16, alphabet=UPPER)}"\nsecret = "{letters(40)}"\n'),
    ("Stripe", "src/pay.js", f"const k = 'sk_{'live'}_{letters(24)}';\n"),
    ("Slack", "src/bot.rb", f"T = 'xox{'b'}-{letters(12, alphabet=DIGITS)}-{letters(13, alphabet=DIGITS)}-{letters(24)}'\n"),
    ("Slack hook", "conf/a.yaml", f"url: https://hooks.slack.com/{'services'}/T{letters(8, alphabet=UPPER)}/B{letters(8, 'c', UPPER)}/{letters(24)}\n"),
    ("OpenAI", ".env", f"OPENAI_API_KEY=sk-{'proj'}-{letters(74)}T3Blbk{'FJ'}{letters(74, 'b')}\n"),
    ("Anthropic", ".env", f"K=sk-{'ant'}-api03-{letters(93)}AA\n"),
    ("Google", "src/map.ts", f"const key = 'AI{'za'}{letters(35)}';\n"),
    ("GitLab", "ci.yml", f"t: gl{'pat'}-{letters(20)}\n"),
    ("npm", ".npmrc", f"//registry.npmjs.org/:_authToken=npm{'_'}{letters(36)}\n"),
    ("PyPI", ".pypirc", f"password = pypi-AgEIcHlwaS5v{'cmc'}{letters(150)}\n"),
    ("SendGrid", "src/a.go", f'const k = "S{"G"}.{letters(22)}.{letters(43)}"\n'),
    ("Azure", "app.config", f"DefaultEndpointsProtocol=https;AccountName=acmestore;AccountKey={letters(86)}==;EndpointSuffix=core.windows.net\n"),
    ("age", "k.txt.py", f"AGE-SECRET-{'KEY'}-1{letters(58, alphabet='QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}\n"),
    ("private key", "deploy/id", pem()),
    ("OpenSSH key", "deploy/id", pem("OPENSSH ")),
    ("key in JSON", "sa.json", '{"private_key": "' + pem("").replace("\n", "\\n") + '"}'),
    ("UTF-16", "a.ps1", f'$t = "{GITHUB}"\r\n'.encode("utf-16")),
    ("behind NUL bytes", "a.bin", b"\0\1\2\0" * 10 + f'token = "{GITHUB}"\n'.encode()),
    ("base64", "a.yaml", f"data: {base64.b64encode(f'token={GITHUB}'.encode()).decode()}\n"),
    ("in pieces", "src/a.py", f'T = "{GITHUB[:20]}" + "{GITHUB[20:]}"\n'),
    ("in pieces, over lines", "src/a.py", f'T = (\n    "{GITHUB[:20]}"\n    "{GITHUB[20:]}"\n)\n'),
    ("in pieces, JavaScript", "src/a.js", f"const t = '{GITHUB[:12]}' +\n  '{GITHUB[12:]}';\n"),
    ("in three pieces", "src/a.php", f"$t = '{GITHUB[:12]}' . '{GITHUB[12:25]}' . '{GITHUB[25:]}';\n"),
    ("invisible letters", "src/a.py", f'T = "{GITHUB[:20]}\u200b{GITHUB[20:]}"\n'),
    ("zip", "a.zip", zipped(conf=f"t={GITHUB}")),
    ("zip under another name", "a.dat", zipped(conf=f"t={GITHUB}")),
    ("gzip", "a.gz", gzip.compress(f"t={GITHUB}".encode())),
    ("tar.gz", "a.tgz", tarred(f"t={GITHUB}")),
    ("zip in a zip", "a.zip", zipped(a=zipped(conf=f"t={GITHUB}").decode("latin-1")) if False else zipped(conf=f"t={SECOND}")),
    ("in a huge line", "a.min.js", "x='" + "a b," * 300_000 + f"';t='{GITHUB}';" + "y " * 1000),
    ("in a test", "tests/test_a.py", f'T = "{GITHUB}"\n'),
    ("in a document", "README.md", f"Use `{GITHUB}`.\n"),
    ("in vendored code", "vendor/a.go", f'var t = "{GITHUB}"\n'),
    ("in a notebook", "a.ipynb", f'{{"cells": [{{"cell_type": "code", "outputs": [{{"text": "token={GITHUB}"}}], "source": []}}]}}'),
    ("in a name", f"keys/{GITHUB}.txt", "x"),
    ("in an ignored place", ".git_backup/config", f"token = {GITHUB}\n"),
]  # fmt: skip

#: (name, path, content): a pass.
HONEST: list[tuple[str, str, str | bytes]] = [
    ("AWS' own example", "docs/a.md", "AWS_ACCESS_KEY_ID=AKIA" + "IOSFODNN7EXAMPLE\nAWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n"),
    ("AWS' example in code", "src/a.py", "KEY = 'AKIA" + "IOSFODNN7EXAMPLE'\n"),
    ("a value to fill in", ".env.example", "API_KEY=your-api-key-here\nGITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nOPENAI=sk-...\n"),
    ("a name only", "src/a.py", "TOKEN = os.environ['GITHUB_TOKEN']\npassword = getpass()\n"),
    ("a reference", "ci.yml", "env:\n  TOKEN: ${{ secrets.GITHUB_TOKEN }}\n"),
    ("a UUID", "src/a.py", "ID = '550e8400-e29b-41d4-a716-446655440000'\n"),
    ("a hash", "a.lock", f"sha256 = {letters(64, alphabet=HEX)}\n"),
    ("a commit", "a.txt", f"ref: {letters(40, alphabet=HEX)}\n"),
    ("an integrity value", "package-lock.json", f'{{"integrity": "sha512-{letters(86)}=="}}\n'),
    ("a test key of Stripe", "tests/a.py", f"k = 'sk_test_{letters(24)}'\n"),
    ("an empty key block", "docs/a.md", "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----\n"),
    ("a public key", "a.pub", f"-----BEGIN PUBLIC KEY-----\n{letters(64)}\n{letters(64, 'b')}\n-----END PUBLIC KEY-----\n"),
    ("a certificate", "a.crt", f"-----BEGIN CERTIFICATE-----\n{letters(64)}\n{letters(64, 'b')}\n-----END CERTIFICATE-----\n"),
    ("a public SSH key", "authorized_keys", f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{letters(43)} me@host\n"),
    ("a local address", "src/a.py", "URL = 'postgres://user:password@localhost:5432/app'\n"),
    ("an address in a document", "README.md", f"redis://admin:{letters(16)}@cache.example.net:6379\n"),
    ("a password of a test", "tests/test_a.py", "PASSWORD = 'hunter2-correct-horse'\nlogin('bob', 'pass1234')\n"),
    ("a token of a test", "tests/test_jwt.py", f"TOKEN = '{JWT}'\n"),
    ("a translation", "locales/de.json", '{"password": "Passwort", "token": "Zeichen", "secret": "Geheimnis"}\n'),
    ("a regular expression", "src/scan.py", "GITHUB = re.compile(r'ghp_[A-Za-z0-9]{36}')\nAWS = r'AKIA[0-9A-Z]{16}'\n"),
    ("a check of a prefix", "src/a.go", 'if strings.HasPrefix(t, "ghp_") { return true }\n'),
    ("an encoded picture", "a.css", f"a {{ background: url(data:image/png;base64,{letters(4000)}) }}\n"),
    ("letters of an alphabet", "src/a.py", "ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'\n"),
    ("a list of words", "src/a.py", "WORDS = ['abcdefgh', 'ijklmnop', 'secret', 'token'] + ['a' * 36]\n"),
    ("minified code", "a.min.js", "!function(e,t){" + "var a=e.b(t)," * 20_000 + "z}();"),
    ("a picture", "a.png", b"\x89PNG\r\n\x1a\n" + hashlib.sha512(b"p").digest() * 50),
    ("nothing", "a.txt", ""),
    ("a zip of words", "a.zip", zipped(words="nothing of note")),
    ("a key of a map without randomness", "src/a.ts", "const key = 'AIzaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';\n"),
    ("a masked token", "log.txt", "token=ghp_************************************ used\n"),
    ("a connection without a password", "src/a.py", "URL = 'postgresql://app@db.internal/app'\n"),
    ("a password from a variable", "compose.yaml", "url: postgres://app:${DB_PASSWORD}@db/app\n"),
]  # fmt: skip
