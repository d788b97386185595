"""A real WebKit, on a screen that nobody sees, against a real `kasta serve`."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from browsing import Server, free_port
from selenium.webdriver import Remote, WebKitGTKOptions
from selenium.webdriver.common.utils import is_connectable
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from tapping import Phone

NEEDED = {"WebKitWebDriver": "webkit2gtk-driver", "Xvfb": "xvfb"}
WIDTH, HEIGHT = 320, 568  # the smallest iPhone
# Buttons of the browser would keep the window from being as narrow as a phone.
TINY_TOOLBAR = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; border: 0; font-size: 1px; }"


@contextmanager
def running(*command: str, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """A process that is gone afterwards."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, text=True
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    missing = [package for command, package in NEEDED.items() if not shutil.which(command)]
    if missing:
        if os.environ.get("CI") == "true":
            pytest.fail(f"missing: install Debian's {' and '.join(missing)}")
        pytest.skip(f"apt install {' '.join(missing)} to run the tests in WebKit")
    screen = ("-screen", "0", "1280x1024x24", "-nolisten", "tcp")
    with running("Xvfb", "-displayfd", "1", *screen) as process:
        assert process.stdout
        yield f":{process.stdout.readline().strip()}"


@pytest.fixture(scope="module")
def webkit(display: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    style = tmp_path_factory.mktemp("config") / "gtk-3.0" / "gtk.css"
    style.parent.mkdir()
    style.write_text(TINY_TOOLBAR)
    env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(style.parents[1])}
    port = free_port()
    with running("WebKitWebDriver", f"--port={port}", env=env) as process:
        while not is_connectable(port):
            assert process.poll() is None
            time.sleep(0.02)
        options = WebKitGTKOptions()
        options.add_argument("--automation")
        config = ClientConfig(f"http://127.0.0.1:{port}")
        with Remote(RemoteConnection(client_config=config), options=options) as driver:
            driver.set_window_size(WIDTH, HEIGHT)
            toolbar = HEIGHT - int(driver.execute_script("return innerHeight"))
            driver.set_window_size(WIDTH, HEIGHT + toolbar)
            yield driver


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def phone(webkit: Remote, server: Server) -> Iterator[Phone]:
    """A phone that has never been here, at the home page. A fault in a page fails the test."""
    webkit.delete_all_cookies()
    phone = Phone(webkit)
    phone.visit(server.url)
    yield phone
    assert phone.faults() == []
