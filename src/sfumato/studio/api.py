"""The routes under /api/: an OpenAPI schema that other programs can use alone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import BaseModel, Field

from ..core.errors import BadInput
from . import uploads
from .describe import described
from .judging import JUDGED
from .places import POLICY, about
from .signing import SIGNATURE, signed
from .work import RELEASE, WORK, ZIP, asked_of, pack, parts_of

if TYPE_CHECKING:
    from .studio import Studio

SIGN = "ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n sfumato-release SHA256SUMS"
PRIVATE_ZIP = f"{RELEASE}.private.zip"
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"


class NewProject(BaseModel):
    """A project to begin."""

    name: str = Field("", max_length=200)
    example: str | None = Field(None, description="`clinic`: begin with the invented clinic.")
    kind: Literal["release", "received"] = "release"


class Column(BaseModel, extra="allow"):
    """What is chosen for one column; what was proposed beside it comes back as it is."""

    name: str
    choice: str
    options: dict[str, Any] = {}


class Choices(BaseModel):
    """What is chosen for every column."""

    columns: list[Column]


class PolicyText(BaseModel):
    """A policy: its text, or its values."""

    text: str | None = None
    stated: dict[str, Any] | None = None


class Preview(BaseModel):
    """A preview to make: of a policy that is not kept yet, for a page that knows a sample."""

    known: str | None = None
    stated: dict[str, Any] | None = None


class Place(BaseModel):
    """A changed place of the sample."""

    column: str = ""
    document: int = Field(ge=0)
    start: int = Field(ge=0)
    stop: int = Field(ge=0)
    stated: dict[str, Any] | None = None


class Decisions(BaseModel):
    """What a person decided: document, start, stop, label, decision, scope, new_label of each."""

    decisions: list[dict[str, Any]]


class Signing(BaseModel):
    """The key file, on the machine of the studio, that signs."""

    key: str = Field(max_length=1000)


class NewJob(BaseModel):
    """A job to do."""

    kind: str = "run"
    arguments: dict[str, Any] = {}


def routes(studio: Studio) -> APIRouter:
    """All routes of a studio."""
    api = APIRouter(prefix="/api")

    @api.get("/about", summary="Version, limits, verbs with their options")
    def about_studio() -> dict[str, Any]:
        return described(studio.settings)

    @api.get("/projects", summary="All projects")
    def projects() -> list[dict[str, Any]]:
        return [_shown(one) for one in studio.place.projects()]

    @api.post("/projects", status_code=201, summary="Begins a project")
    def new_project(given: NewProject) -> dict[str, Any]:
        identity = studio.place.new_project(given.name or given.example or "", given.kind)
        if given.example is not None:
            uploads.example(studio.place.project(identity), given.example)
        return _shown(about(studio.place.project(identity)))

    @api.get("/projects/{project}", summary="What is known of a project")
    def project_about(project: str) -> dict[str, Any]:
        return _shown(about(studio.place.project(project)))

    @api.delete("/projects/{project}", summary="Wipes a project and its jobs")
    def delete_project(project: str) -> dict[str, Any]:
        folder = studio.place.project(project)
        for one in studio.jobs.all(project):
            studio.dispatcher.cancel(one["id"])
            shutil.rmtree(studio.place.job(one["id"]), ignore_errors=True)
        studio.jobs.forget([project])
        shutil.rmtree(folder, ignore_errors=True)
        studio.desks.forget(folder)
        return {"wiped": project}

    @api.put("/projects/{project}/files", status_code=201, summary="Uploads a file (raw bytes)")
    async def upload(
        request: Request,
        project: str,
        name: Annotated[str, Query(max_length=1000)],
        role: Annotated[str, Query(max_length=20)] = "input",
    ) -> dict[str, Any]:
        folder = studio.place.project(project)
        kept = await uploads.take(request, folder, name, role, studio.settings.limits)
        return {"file": kept, **_shown(about(folder))}

    @api.get("/projects/{project}/look", summary="Kind, size, and columns with proposals")
    def look(project: str) -> Any:
        return studio.ask("look", project)

    @api.get("/projects/{project}/rows", summary="Some rows of the input")
    def rows(project: str, start: int = 0, count: Annotated[int, Query(le=500)] = 100) -> Any:
        return studio.ask("rows", project, start=start, count=count)

    @api.put("/projects/{project}/columns", summary="Keeps what is chosen for every column")
    def choose(project: str, given: Choices) -> Any:
        return studio.ask("choose", project, columns=given.model_dump()["columns"])

    @api.get("/projects/{project}/policy", summary="The policy: text, values, problems")
    def policy(project: str) -> Any:
        return studio.ask("policy", project)

    @api.put("/projects/{project}/policy", summary="Keeps a policy")
    def save_policy(project: str, given: PolicyText) -> Any:
        return studio.ask("save_policy", project, text=given.text, stated=given.stated)

    @api.get("/projects/{project}/release.yaml", summary="The policy as a file")
    def policy_file(project: str) -> Response:
        return _file(studio.place.project(project) / POLICY, POLICY)

    @api.get("/projects/{project}/files/{name}", summary="A file of the project")
    def project_file(project: str, name: str) -> Response:
        folder = studio.place.project(project)
        if name not in ("schema.yaml", "key", "review.jsonl", *about(folder)["files"]):
            raise KeyError("file")
        return _file(folder / name, name)

    @api.post("/projects/{project}/preview", summary="What the policy does to a sample")
    def preview(project: str, given: Preview) -> Any:
        return studio.ask("preview", project, known=given.known, stated=given.stated)

    @api.post("/projects/{project}/verdicts", summary="The verdicts on the sample")
    def verdicts(project: str, given: Preview) -> Any:
        return studio.ask("verdicts", project, stated=given.stated)

    @api.post("/projects/{project}/guessed", summary="What a reader could fill in of its stars")
    def guessed(project: str, given: Preview) -> Any:
        return studio.ask("guessed", project, stated=given.stated)

    @api.post("/projects/{project}/reason", summary="Why a place was changed")
    def reason(project: str, given: Place) -> Any:
        return studio.ask("reason", project, **given.model_dump())

    @api.get("/projects/{project}/places", summary="What is recognised, most doubtful first")
    def places(project: str) -> Any:
        return studio.ask("places", project)

    @api.get("/projects/{project}/texts/{document}", summary="One document of the review")
    def text(project: str, document: int) -> Any:
        return {"text": studio.ask("text", project, document=document)}

    @api.put("/projects/{project}/review", summary="Keeps what a person decided")
    def decide(project: str, given: Decisions) -> Any:
        return studio.ask("decide", project, decisions=given.decisions)

    _job_routes(api, studio)
    return api


def _job_routes(api: APIRouter, studio: Studio) -> None:
    @api.post("/projects/{project}/jobs", status_code=201, summary="Queues a job")
    def new_job(project: str, given: Annotated[NewJob, Body()]) -> dict[str, Any]:
        studio.place.project(project)
        if given.kind not in WORK:
            raise BadInput(f"expected one of {', '.join(WORK)}", where="kind")
        if not given.arguments.keys() <= asked_of(given.kind):
            raise BadInput("this kind of job takes no such argument", where="arguments")
        if given.kind == "try":  # an older one shows what nobody asks for any more
            studio.dispatcher.drop(project, "try")
        return studio.jobs.get(studio.jobs.add(project, given.kind, given.arguments))

    @api.get("/jobs", summary="All jobs, the newest first")
    def jobs(project: str | None = None) -> list[dict[str, Any]]:
        return studio.jobs.all(project)

    @api.get("/jobs/{job}", summary="A job: state, progress, result or reason")
    def job_about(job: str) -> dict[str, Any]:
        return studio.jobs.get(job)

    @api.post("/jobs/{job}/cancel", summary="Takes a job back")
    def cancel(job: str) -> dict[str, Any]:
        studio.jobs.get(job)
        studio.dispatcher.cancel(job)
        return studio.jobs.get(job)

    @api.get("/jobs/{job}/parts/{number}", summary="A part of what was tried on everything")
    def part(job: str, number: int) -> list[dict[str, Any]]:
        studio.jobs.get(job)
        return parts_of(studio.place.job(job), number)

    @api.get("/jobs/{job}/release.zip", summary="The release folder as one file")
    def archive(job: str) -> Response:
        return _result(studio, job, studio.place.job(job) / ZIP, ZIP)

    @api.get("/jobs/{job}/sign", summary="The line that signs a release")
    def sign(job: str) -> dict[str, str]:
        studio.jobs.get(job)
        return {"command": SIGN}

    @api.post("/jobs/{job}/sign", summary="Signs a release with a key file of this machine")
    def sign_it(job: str, given: Signing) -> dict[str, str]:
        studio.jobs.get(job)
        if studio.settings.host not in ("127.0.0.1", "localhost", "::1"):
            raise BadInput(
                "this studio can be reached from elsewhere and opens no key file",
                where="key",
                remedy="sign by the line shown",
            )
        results = studio.place.job(job)
        signed(results / RELEASE, given.key)
        pack(results / RELEASE, results / ZIP)
        return {"signed": "SHA256SUMS.sig was made, and is in the zip"}

    @api.get("/jobs/{job}/SHA256SUMS.sig", summary="The signature")
    def signature(job: str) -> Response:
        return _file(studio.place.job(job) / RELEASE / SIGNATURE, SIGNATURE)

    @api.get("/jobs/{job}/judged", summary="What a job of the kind judge found")
    def judged(job: str) -> Response:
        studio.jobs.get(job)
        path = studio.place.job(job) / JUDGED
        if not path.is_file():
            raise KeyError("file")
        return FileResponse(path, media_type="application/json")

    @api.get("/jobs/{job}/files/{name:path}", summary="A file of the release")
    def result_file(job: str, name: str) -> Response:
        found = studio.jobs.get(job)
        listed = [one["name"] for one in (found["result"] or {}).get("files", [])]
        if found["kind"] != "run" or name not in listed:
            raise KeyError("file")
        return _result(studio, job, studio.place.job(job) / RELEASE / name, Path(name).name)

    @api.get("/jobs/{job}/private.zip", summary="What the steward keeps of a release")
    def kept(job: str) -> Response:
        studio.jobs.get(job)
        results = studio.place.job(job)
        folder = results / f"{RELEASE}.private"
        if not folder.is_dir():
            raise KeyError("file")
        pack(folder, results / PRIVATE_ZIP)
        return _file(results / PRIVATE_ZIP, PRIVATE_ZIP)

    @api.get("/jobs/{job}/private/{name}", summary="A private file of the release")
    def private_file(job: str, name: str) -> Response:
        studio.jobs.get(job)
        if name not in ("figures.json", "report.html", "certificate.json", "key"):
            raise KeyError("file")
        return _file(studio.place.job(job) / f"{RELEASE}.private" / name, name)

    @api.delete("/everything", summary="Wipes all projects, files and jobs")
    def wipe() -> dict[str, bool]:
        studio.dispatcher.wipe()
        studio.desks.close()  # they have texts at hand; the next question starts them anew
        return {"wiped": True}


def _shown(told: dict[str, Any]) -> dict[str, Any]:
    """What is known of a project, for its owner's page."""
    return {name: value for name, value in told.items() if name != "columns"}


def _result(studio: Studio, job: str, path: Path, name: str) -> Response:
    answer = _file(path, name)
    studio.jobs.downloaded(job)
    return answer


def _file(path: Path, name: str) -> Response:
    if not path.is_file():
        raise KeyError("file")
    if name == "report.html":  # a page without script, which shows itself
        headers = {"content-security-policy": REPORT_POLICY}
        return FileResponse(path, media_type="text/html", headers=headers)
    plain = "application/octet-stream"
    return FileResponse(path, media_type=plain, filename=name)


def failed(status: int, **told: object) -> JSONResponse:
    """A failure as all routes tell it."""
    return JSONResponse({"error": told}, status_code=status)
