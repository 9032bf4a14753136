"""A studio: its settings, its folder, its desks and its jobs; and the application over them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException

from ..core.errors import SfumatoError
from . import api
from .desk import Desks
from .dispatch import Dispatcher
from .gate import Gate
from .places import Place, private
from .uploads import TooLarge

if TYPE_CHECKING:
    from .settings import Settings

NOTHING = "there is nothing here"
STATUS = {2: 400, 3: 409, 4: 409, 5: 501}
TYPES = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


class Studio:
    """What all routes share."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.place = Place(private(settings.folder))
        self.desks = Desks(settings.limits)
        self.dispatcher = Dispatcher(settings, self.place)
        self.jobs = self.dispatcher.jobs

    def ask(self, task: str, project: str, **arguments: object) -> Any:
        """A desk's answer about a project."""
        folder = self.place.project(project)
        self.place.used(folder)
        return self.desks.ask(task, folder, **arguments)


def application(settings: Settings) -> Gate:
    """The studio as an ASGI application, behind its gate."""
    studio = Studio(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        studio.dispatcher.start()
        studio.desks.open()
        try:
            yield
        finally:
            studio.dispatcher.stop()
            studio.desks.close()

    app = FastAPI(
        title="Sfumato studio",
        version=version("sfumato"),
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.studio = studio
    _tell_failures(app)
    app.include_router(api.routes(studio))
    if not settings.api_only:
        _pages(app)
    return Gate(app, settings)


def _tell_failures(app: FastAPI) -> None:
    @app.exception_handler(SfumatoError)
    def on_refusal(request: Request, problem: SfumatoError) -> Response:
        status = 413 if isinstance(problem, TooLarge) else STATUS.get(problem.exit_code, 500)
        told = {"problem": problem.problem, "where": problem.where, "remedy": problem.remedy}
        return api.failed(status, **told, exit_code=problem.exit_code)

    @app.exception_handler(KeyError)
    def on_missing(request: Request, problem: KeyError) -> Response:
        return api.failed(404, problem="there is no such project, job or file")

    @app.exception_handler(HTTPException)
    def on_http(request: Request, problem: HTTPException) -> Response:
        told = "not as this route expects it" if problem.status_code == 400 else NOTHING
        return api.failed(problem.status_code, problem=told)

    @app.exception_handler(RequestValidationError)
    def on_form(request: Request, problem: RequestValidationError) -> Response:
        places = [".".join(map(str, one["loc"])) for one in problem.errors()]
        return api.failed(422, problem="not as this route expects it", where=", ".join(places))


def _pages(app: FastAPI) -> None:
    """The page and its parts: a fixed list of files, none by a name that was asked for."""
    folder = Path(str(files("sfumato.studio") / "static"))
    listed = {one.name: one for one in folder.iterdir() if one.suffix in TYPES}

    @app.get("/", include_in_schema=False)
    def page() -> Response:
        return FileResponse(listed["index.html"], media_type=TYPES[".html"])

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        return FileResponse(listed["icon.svg"], media_type=TYPES[".svg"])

    @app.get("/static/{name}", include_in_schema=False)
    def part(name: str) -> Response:
        if name not in listed:
            raise KeyError("file")
        return FileResponse(listed[name], media_type=TYPES[listed[name].suffix])
