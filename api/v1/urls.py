from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from api.v1.views import agreement, gold, jobs, lemmas, nothing, pairs, projects, token, work

app_name = "api"

project = [
    path("", projects.ProjectDetailView.as_view(), name="project"),
    path("stages/<int:stage>/claim/", work.ClaimView.as_view(), name="claim"),
    path("stages/<int:stage>/items/", work.ItemsView.as_view(), name="items"),
    path("stages/<int:stage>/no-metaphor/", pairs.NoMetaphorView.as_view(), name="no-metaphor"),
    path("stages/<int:stage>/adjudicate/", gold.AdjudicateView.as_view(), name="adjudicate"),
    path("stages/<int:stage>/accept/", gold.AcceptView.as_view(), name="accept"),
    path("assignments/<int:pk>/", work.AssignmentView.as_view(), name="assignment"),
    path("assignments/<int:pk>/save/", work.SaveView.as_view(), name="save"),
    path("assignments/<int:pk>/undo/", work.UndoView.as_view(), name="undo"),
    path("assignments/<int:pk>/tag/", work.TagView.as_view(), name="tag"),
    path("lemmas/", lemmas.LemmasView.as_view(), name="lemmas"),
    path("sentences/<int:pk>/gold/", gold.SentenceGoldView.as_view(), name="sentence-gold"),
    path("sentences/<int:pk>/gold/reopen/", gold.SentenceReopenView.as_view(), name="sentence-reopen"),
    path("pairs/<int:pk>/gold/", gold.PairGoldView.as_view(), name="pair-gold"),
    path("pairs/<int:pk>/gold/reopen/", gold.PairReopenView.as_view(), name="pair-reopen"),
    path("agreement/", agreement.AgreementView.as_view(), name="agreement"),
    path("jobs/", jobs.JobsView.as_view(), name="jobs"),
    path("jobs/<int:pk>/", jobs.JobView.as_view(), name="job"),
    path("jobs/<int:pk>/cancel/", jobs.CancelView.as_view(), name="job-cancel"),
]

urlpatterns = [
    path("token/", token.TokenView.as_view(), name="token"),
    path("projects/", projects.ProjectsView.as_view(), name="projects"),
    path("projects/<slug:slug>/", include(project)),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path(
        "docs/", SpectacularSwaggerSplitView.as_view(url_name="api:schema", template_name="api/docs.html"), name="docs"
    ),
    path("<path:rest>", nothing.NothingView.as_view(), name="nothing"),
]
