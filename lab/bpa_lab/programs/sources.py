"""Sources of programs, as Debian keeps them, at pinned versions and checksums."""

import dataclasses
import hashlib
import pathlib
import shutil
import subprocess
import time
import urllib.request

from bpa_dev.messages import Failure, say
from bpa_dev.paths import TARGET
from bpa_dev.versions.roots import DEBIAN

CACHE = TARGET / "programs"
#: Keeps what Debian's own archive has no longer.
SNAPSHOT = "https://snapshot.debian.org/archive/debian/20251101T000000Z"
SECONDS = 120
ATTEMPTS = 3


@dataclasses.dataclass(frozen=True)
class Source:
    #: In the archive's `pool/main/`.
    path: str
    sha256: str

    def unpack(self, folder: pathlib.Path) -> None:
        """Its files in a new folder, without the one that they stand in."""
        archive = self.fetch()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        command = ["tar", "-xf", str(archive), "--strip-components=1", "-C", str(folder)]
        if subprocess.run(command).returncode != 0:
            raise Failure(f"{archive} cannot be unpacked")

    def fetch(self) -> pathlib.Path:
        """The archive, from the cache if it is there."""
        file = CACHE / pathlib.PurePath(self.path).name
        if file.exists():
            return file
        say(f"fetching {file.name}")
        CACHE.mkdir(parents=True, exist_ok=True)
        content = self.download()
        partial = file.with_name(f"{file.name}.partial")
        partial.write_bytes(content)
        return partial.rename(file)

    def download(self) -> bytes:
        trouble: list[str] = []
        # Mirrors miss archives at times.
        for attempt in range(ATTEMPTS):
            time.sleep(5 * attempt)
            for archive in (DEBIAN, SNAPSHOT):
                url = f"{archive}/pool/main/{self.path}"
                try:
                    with urllib.request.urlopen(url, timeout=SECONDS) as answer:
                        content: bytes = answer.read()
                except OSError as error:
                    trouble.append(f"{url}: {error}")
                    continue
                found = hashlib.sha256(content).hexdigest()
                if found == self.sha256:
                    return content
                trouble.append(f"{url} has checksum {found}, and not {self.sha256}")
        raise Failure("\n".join(trouble))
