from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotator.core.kind import routes
from api.v1.views import (
    agreement,
    archives,
    drafts,
    exports,
    gold,
    imports,
    jobs,
    keys,
    lemmas,
    nothing,
    orphaned_answers,
    project_parts,
    projects,
    studies,
    terms,
    texts,
    token,
    work,
)

app_name = "api"

project = [
    # Addresses are tried in turn: first what is called with every sentence.
    path("assignments/<int:pk>/save/", work.SaveView.as_view(), name="save"),
    path("lemmas/", lemmas.LemmasView.as_view(), name="lemmas"),
    path("stages/<int:stage>/claim/", work.ClaimView.as_view(), name="claim"),
    path("", projects.ProjectDetailView.as_view(), name="project"),
    path("settings/", projects.SettingsView.as_view(), name="settings"),
    path("archive/", projects.ArchiveView.as_view(), name="archive"),
    path("restore/", projects.RestoreView.as_view(), name="restore"),
    path("copy/", projects.CopyView.as_view(), name="copy"),
    path("delete/", projects.DeleteView.as_view(), name="delete"),
    path("archives/", archives.ArchivesView.as_view(), name="archives"),
    path("archives/<int:pk>/file/", archives.ArchiveFileView.as_view(), name="archive-file"),
    path("exports/", exports.ExportsView.as_view(), name="exports"),
    path("exports/<int:pk>/file/", exports.ExportFileView.as_view(), name="export-file"),
    path("languages/", project_parts.LanguagesView.as_view(), name="languages"),
    path("languages/<str:tag>/", project_parts.LanguageView.as_view(), name="language"),
    path("stages/", project_parts.StagesView.as_view(), name="stages"),
    path("stages/order/", project_parts.StageOrderView.as_view(), name="stage-order"),
    path("stages/<int:stage>/", project_parts.StageSettingsView.as_view(), name="stage"),
    path("layers/", project_parts.LayersView.as_view(), name="layers"),
    path("layers/<slug:layer>/labels/", project_parts.LabelsView.as_view(), name="labels"),
    path("layers/<slug:layer>/attributes/", project_parts.AttributesView.as_view(), name="attributes"),
    path("layers/<slug:layer>/rules/", project_parts.RulesView.as_view(), name="rules"),
    path("stages/<int:stage>/items/", work.ItemsView.as_view(), name="items"),
    path("stages/<int:stage>/adjudicate/", gold.AdjudicateView.as_view(), name="adjudicate"),
    path("stages/<int:stage>/accept/", gold.AcceptView.as_view(), name="accept"),
    path("stages/<int:stage>/source-changed/", work.SourceChangedView.as_view(), name="source-changed"),
    path("stages/<int:stage>/left/", orphaned_answers.LeftTextsView.as_view(), name="left-texts"),
    path(
        "stages/<int:stage>/left/<int:answer>/hand-over/",
        orphaned_answers.HandOverView.as_view(),
        name="left-text-hand-over",
    ),
    path(
        "stages/<int:stage>/left/<int:answer>/give-up/", orphaned_answers.GiveUpView.as_view(), name="left-text-give-up"
    ),
    path("assignments/<int:pk>/", work.AssignmentView.as_view(), name="assignment"),
    path("assignments/<int:pk>/undo/", work.UndoView.as_view(), name="undo"),
    path("units/<int:pk>/text/", texts.TextView.as_view(), name="text"),
    path("units/<int:pk>/set-aside/", texts.SetAsideView.as_view(), name="set-aside"),
    path("layers/<slug:layer>/terms/", terms.TermsView.as_view(), name="terms"),
    path("units/<int:pk>/gold/", gold.DecideView.as_view(), name="gold"),
    path("units/<int:pk>/gold/reopen/", gold.ReopenView.as_view(), name="reopen"),
    path("agreement/", agreement.AgreementView.as_view(), name="agreement"),
    path("agreement/studies/", studies.StudiesView.as_view(), name="studies"),
    path("agreement/studies/<int:pk>/", studies.StudyView.as_view(), name="study"),
    path("jobs/", jobs.JobsView.as_view(), name="jobs"),
    path("jobs/<int:pk>/", jobs.JobView.as_view(), name="job"),
    path("jobs/<int:pk>/cancel/", jobs.CancelView.as_view(), name="job-cancel"),
    path("imports/", imports.ImportsView.as_view(), name="imports"),
    path("imports/<int:pk>/", imports.ImportView.as_view(), name="import"),
    path("imports/<int:pk>/take-back/", imports.UndoImportView.as_view(), name="import-take-back"),
    path("imports/drafts/", drafts.DraftsView.as_view(), name="drafts"),
    path("imports/drafts/<int:pk>/", drafts.DraftView.as_view(), name="draft"),
    path("imports/drafts/<int:pk>/files/", drafts.FilesView.as_view(), name="draft-files"),
    path("imports/drafts/<int:pk>/files/<str:file>/", drafts.FileView.as_view(), name="draft-file"),
    path("imports/drafts/<int:pk>/text/", drafts.TextView.as_view(), name="draft-text"),
    path("imports/drafts/<int:pk>/preview/", drafts.PreviewView.as_view(), name="draft-preview"),
    path("imports/drafts/<int:pk>/problems/", drafts.ProblemsView.as_view(), name="draft-problems"),
    path("imports/drafts/<int:pk>/sentences/", drafts.SentencesView.as_view(), name="draft-sentences"),
    path("imports/drafts/<int:pk>/tokens/", drafts.TokensView.as_view(), name="draft-tokens"),
    path("imports/drafts/<int:pk>/check/", drafts.CheckView.as_view(), name="draft-check"),
    path("imports/drafts/<int:pk>/start/", drafts.StartView.as_view(), name="draft-start"),
    # What single kinds of work bring along.
    *routes(),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(project)),
    path("keys/", keys.KeysView.as_view(), name="keys"),
    path("token/", token.TokenView.as_view(), name="token"),
    path("projects/", projects.ProjectsView.as_view(), name="projects"),
    path("archives/", archives.UploadsView.as_view(), name="archive-uploads"),
    path("archives/<uuid:key>/", archives.UploadView.as_view(), name="archive-upload"),
    path("archives/<uuid:key>/restore/", archives.RestoreUploadView.as_view(), name="archive-restore"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path(
        "docs/", SpectacularSwaggerSplitView.as_view(url_name="api:schema", template_name="api/docs.html"), name="docs"
    ),
    path("<path:rest>", nothing.NothingView.as_view(), name="nothing"),
]
