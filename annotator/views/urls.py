"""URLs of the pages. tests/views/test_access.py walks them all."""

from django.urls import path

from annotator.views import (
    agreement,
    dashboard,
    guidelines,
    health,
    imports,
    items,
    jobs,
    members,
    projects,
    releases,
    reports,
    sign_in,
    stage_actions,
    workspaces,
)

urlpatterns = [
    path("healthz/", health.healthz, name="healthz"),
    path("", projects.projects, name="projects"),
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("password/", sign_in.change_password, name="password"),
    path("projects/<slug:slug>/", dashboard.dashboard, name="project"),
    path("projects/<slug:slug>/predict/", stage_actions.predict, name="predict"),
    path("projects/<slug:slug>/project-labels/", stage_actions.project_labels, name="project-labels"),
    path("projects/<slug:slug>/accept/", stage_actions.accept, name="accept"),
    path("projects/<slug:slug>/transfer/", stage_actions.transfer, name="transfer"),
    path("projects/<slug:slug>/blind/", stage_actions.blind, name="blind"),
    path("projects/<slug:slug>/stages/<int:stage>/work/", workspaces.work, name="work"),
    path("projects/<slug:slug>/stages/<int:stage>/items/", items.items, name="items"),
    path("projects/<slug:slug>/stages/<int:stage>/items/hand-back/", items.hand_back, name="hand-back"),
    path("projects/<slug:slug>/stages/<int:stage>/free/", stage_actions.free, name="free"),
    path("projects/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("projects/<slug:slug>/reports/", reports.reports, name="reports"),
    path(
        "projects/<slug:slug>/reports/<slug:kind>.json", reports.report_download, {"format": "json"}, name="report-json"
    ),
    path("projects/<slug:slug>/reports/<slug:kind>.tsv", reports.report_download, {"format": "tsv"}, name="report-tsv"),
    path("projects/<slug:slug>/jobs/", jobs.jobs, name="jobs"),
    path("projects/<slug:slug>/jobs/<int:job>/", jobs.job, name="job"),
    path("projects/<slug:slug>/jobs/<int:job>/cancel/", jobs.job_cancel, name="job-cancel"),
    path("projects/<slug:slug>/jobs/<int:job>/retry/", jobs.job_retry, name="job-retry"),
    path("projects/<slug:slug>/releases/", releases.releases, name="releases"),
    path("projects/<slug:slug>/releases/start/", releases.release_start, name="release-start"),
    path("projects/<slug:slug>/releases/<int:number>/", releases.release, name="release"),
    path(
        "projects/<slug:slug>/releases/<int:number>/download/",
        releases.release_download,
        name="release-download",
    ),
    path("projects/<slug:slug>/members/", members.members, name="members"),
    path("projects/<slug:slug>/members/add/", members.member_add, name="member-add"),
    path("projects/<slug:slug>/members/new/", members.member_create, name="member-create"),
    path("projects/<slug:slug>/members/<int:member>/role/", members.member_role, name="member-role"),
    path("projects/<slug:slug>/members/<int:member>/remove/", members.member_remove, name="member-remove"),
    path("projects/<slug:slug>/import/", imports.import_corpus, name="import"),
    path("projects/<slug:slug>/guidelines/", guidelines.guidelines, name="guidelines"),
    path("projects/<slug:slug>/guidelines/edit/", guidelines.guidelines_edit, name="guidelines-edit"),
]
