"""URLs of the pages. tests/pages/test_access.py walks them all."""

from django.urls import path, re_path

from annotator.accounts.views import accounts, sign_in
from annotator.backup import views as archives
from annotator.comparisons import views as comparisons
from annotator.comparisons.files import FORMATS as COMPARISON_FORMATS
from annotator.dashboard.views import accepting, dashboard, jobs, people, progress, stage_actions, styleguide
from annotator.help import views as manual
from annotator.imports.views import finished, imports
from annotator.imports.views import lines as import_lines
from annotator.imports.views import sentences as import_sentences
from annotator.projects.views import (
    guidelines,
    invitations,
    languages,
    lifecycle,
    members,
    projects,
    schemes,
    settings,
    stage_training,
    stages,
)
from annotator.releases import views as releases
from annotator.reports.files import FORMATS
from annotator.reports.views import agreement, agreement_words, reports, studies
from annotator.search.views import find, pairs, sentence_map, sentences
from annotator.splits import views as splits
from annotator.webhooks import views as webhooks
from annotator.work.answering.views import training, trials, workspaces
from annotator.work.derivation import views as source_changes
from annotator.work.lexicon import views as terms
from annotator.work.queue.views import dealing, items, orphaned_answers

urlpatterns = [
    path("", projects.projects, name="projects"),
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("password/", sign_in.change_password, name="password"),
    # django-allauth knows these by its own names.
    path("password/forgotten/", sign_in.forgotten_password, name="account_reset_password"),
    path("password/forgotten/sent/", sign_in.forgotten_password_sent, name="account_reset_password_done"),
    re_path(
        r"^password/new/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        sign_in.new_password,
        name="account_reset_password_from_key",
    ),
    path("account/switched-off/", sign_in.inactive, name="account_inactive"),
    path("account/", accounts.account, name="account"),
    path("account/tokens/", accounts.tokens, name="tokens"),
    path("account/tokens/<int:api_token>/revoke/", accounts.token_revoke, name="token-revoke"),
    path("register/", accounts.register, name="register"),
    path("invitations/<str:token>/", invitations.invitation, name="invitation"),
    path("help/", manual.help_page, name="help"),
    path("help/<slug:name>/", manual.help_page, name="help-page"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
    path("projects/new/", projects.new_project, name="new-project"),
    path("restore/", archives.restore, name="restore"),
    path("restore/<uuid:key>/", archives.restore_upload, name="restore-upload"),
    path("restore/<uuid:key>/cancel/", archives.restore_cancel, name="restore-cancel"),
    path("projects/<slug:slug>/", dashboard.dashboard, name="project"),
    path("projects/<slug:slug>/progress/", progress.progress, name="progress"),
    path("projects/<slug:slug>/predict/", stage_actions.predict, name="predict"),
    path("projects/<slug:slug>/train/", stage_actions.train, name="train"),
    path("projects/<slug:slug>/train-every/", stage_actions.train_every, name="train-every"),
    path("projects/<slug:slug>/project-labels/", stage_actions.project_labels, name="project-labels"),
    path("projects/<slug:slug>/accept/", accepting.accept, name="accept"),
    path("projects/<slug:slug>/accept/rules/", accepting.accept_rules, name="accept-rules"),
    path("projects/<slug:slug>/transfer/", stage_actions.transfer, name="transfer"),
    path("projects/<slug:slug>/blind/", stage_actions.blind, name="blind"),
    path("projects/<slug:slug>/blind/pool/", stage_actions.blind_pool, name="blind-pool"),
    path("projects/<slug:slug>/stages/<int:stage>/work/", workspaces.work, name="work"),
    path("projects/<slug:slug>/stages/<int:stage>/trial/", trials.trial, name="trial"),
    path("projects/<slug:slug>/stages/<int:stage>/training/", training.training, name="training"),
    path("projects/<slug:slug>/stages/<int:stage>/training/items/", training.training_work, name="training-work"),
    path("projects/<slug:slug>/stages/<int:stage>/training/finish/", training.training_finish, name="training-finish"),
    path("projects/<slug:slug>/stages/<int:stage>/items/", items.items, name="items"),
    path("projects/<slug:slug>/stages/<int:stage>/items/hand-back/", items.hand_back, name="hand-back"),
    path("projects/<slug:slug>/stages/<int:stage>/assign/", dealing.assign, name="assign"),
    path("projects/<slug:slug>/stages/<int:stage>/assign/move/", dealing.assign_move, name="assign-move"),
    path("projects/<slug:slug>/stages/<int:stage>/assign/<uuid:key>/", dealing.assign_start, name="assign-start"),
    path("projects/<slug:slug>/stages/<int:stage>/assign/<uuid:key>/undo/", dealing.assign_undo, name="assign-undo"),
    path("projects/<slug:slug>/stages/<int:stage>/free/", stage_actions.free, name="free"),
    path(
        "projects/<slug:slug>/stages/<int:stage>/source-changed/", source_changes.source_changed, name="source-changed"
    ),
    path("projects/<slug:slug>/stages/<int:stage>/left/", orphaned_answers.left, name="left-texts"),
    path(
        "projects/<slug:slug>/stages/<int:stage>/left/<int:answer>/hand-over/",
        orphaned_answers.hand_over,
        name="left-text-hand-over",
    ),
    path(
        "projects/<slug:slug>/stages/<int:stage>/left/<int:answer>/give-up/",
        orphaned_answers.give_up,
        name="left-text-give-up",
    ),
    path("projects/<slug:slug>/find/", sentences.find, name="find"),
    path("projects/<slug:slug>/find/sentences.csv", sentences.find_download, {"format": "csv"}, name="find-csv"),
    path("projects/<slug:slug>/find/sentences.xlsx", sentences.find_download, {"format": "xlsx"}, name="find-xlsx"),
    path("projects/<slug:slug>/find/act/", sentences.find_act, name="find-act"),
    path("projects/<slug:slug>/find/acts/<uuid:key>/undo/", sentences.find_undo, name="find-undo"),
    path("projects/<slug:slug>/pairs/", pairs.pairs, name="pairs"),
    path("projects/<slug:slug>/pairs/give/", pairs.pairs_give, name="pairs-give"),
    path("projects/<slug:slug>/pairs/acts/<uuid:key>/undo/", pairs.pairs_undo, name="pairs-undo"),
    path("projects/<slug:slug>/sentences/<int:segment>/", find.sentence, name="sentence"),
    path("projects/<slug:slug>/units/<int:unit>/", find.sentence_of_unit, name="unit"),
    path("projects/<slug:slug>/sentences/<int:segment>/set-aside/", find.sentence_set_aside, name="set-aside"),
    path("projects/<slug:slug>/sentences/<int:segment>/restore/", find.sentence_restore, name="restore-sentence"),
    path("projects/<slug:slug>/sentences/<int:segment>/pairs/<int:pair>/label/", find.pair_label, name="label-pair"),
    path("projects/<slug:slug>/stages/<int:stage>/gold/<int:unit>/open/", find.gold_open, name="gold-open"),
    path("projects/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("projects/<slug:slug>/agreement/words/", agreement_words.agreement_words, name="agreement-words"),
    path("projects/<slug:slug>/agreement/compute/", agreement.agreement_compute, name="agreement-compute"),
    path("projects/<slug:slug>/agreement/people/", studies.studies, name="studies"),
    path("projects/<slug:slug>/agreement/people/compute/", studies.study_compute, name="study-compute"),
    path("projects/<slug:slug>/agreement/people/<int:study>/", studies.study_page, name="study"),
    *(
        path(
            f"projects/<slug:slug>/agreement/people/<int:study>/study.{ending}",
            studies.study_download,
            {"file_format": ending},
            name=f"study-{ending}",
        )
        for ending in FORMATS
    ),
    path("projects/<slug:slug>/reports/", reports.reports, name="reports"),
    path("projects/<slug:slug>/reports/count/", reports.report_count, name="report-count"),
    path("projects/<slug:slug>/reports/<slug:kind>/", reports.reports, name="report"),
    *(
        path(
            f"projects/<slug:slug>/reports/<slug:kind>.{ending}",
            reports.report_download,
            {"file_format": ending},
            name=f"report-{ending}",
        )
        for ending in FORMATS
    ),
    path("projects/<slug:slug>/reports/<slug:kind>/sentences/", reports.report_sentences, name="report-sentences"),
    path("projects/<slug:slug>/map/", sentence_map.sentence_map, name="map"),
    path("projects/<slug:slug>/map/points.json", sentence_map.map_points, name="map-points"),
    path("projects/<slug:slug>/map/start/", sentence_map.map_start, name="map-start"),
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
    path("projects/<slug:slug>/exports/", releases.exports, name="exports"),
    path("projects/<slug:slug>/exports/start/", releases.export_start, name="export-start"),
    path("projects/<slug:slug>/exports/<int:job>/download/", releases.export_download, name="export-download"),
    path("projects/<slug:slug>/comparisons/", comparisons.comparisons, name="comparisons"),
    path("projects/<slug:slug>/comparisons/<int:comparison>/", comparisons.comparison, name="comparison"),
    *(
        path(
            f"projects/<slug:slug>/comparisons/<int:comparison>/rows.{ending}",
            comparisons.comparison_download,
            {"file_format": ending},
            name=f"comparison-{ending}",
        )
        for ending in COMPARISON_FORMATS
    ),
    path("projects/<slug:slug>/splits/", splits.splits, name="splits"),
    path("projects/<slug:slug>/splits/new/", splits.split_new, name="split-new"),
    path("projects/<slug:slug>/splits/import/", splits.split_import, name="split-import"),
    path("projects/<slug:slug>/splits/<int:split>/", splits.split, name="split"),
    path("projects/<slug:slug>/splits/<int:split>/download/", splits.split_download, name="split-download"),
    *(
        path(
            f"projects/<slug:slug>/splits/<int:split>/parts.{ending}",
            splits.split_table,
            {"file_format": ending},
            name=f"split-{ending}",
        )
        for ending in FORMATS
    ),
    path("projects/<slug:slug>/splits/<int:split>/delete/", splits.split_delete, name="split-delete"),
    path("projects/<slug:slug>/members/", members.members, name="members"),
    path("projects/<slug:slug>/members/add/", members.member_add, name="member-add"),
    path("projects/<slug:slug>/members/new/", members.member_create, name="member-create"),
    path("projects/<slug:slug>/members/<int:member>/role/", members.member_role, name="member-role"),
    path("projects/<slug:slug>/members/<int:member>/remove/", members.member_remove, name="member-remove"),
    path("projects/<slug:slug>/members/<int:member>/password/", members.member_password, name="member-password"),
    path("projects/<slug:slug>/members/invite/", invitations.member_invite, name="member-invite"),
    path(
        "projects/<slug:slug>/members/invitations/<int:invitation>/revoke/",
        invitations.invitation_revoke,
        name="invitation-revoke",
    ),
    path(
        "projects/<slug:slug>/members/invitations/<int:invitation>/renew/",
        invitations.invitation_renew,
        name="invitation-renew",
    ),
    path("projects/<slug:slug>/members/<int:member>/languages/", members.member_languages, name="member-languages"),
    path("projects/<slug:slug>/people/<int:person>/", people.person, name="person"),
    path("projects/<slug:slug>/people/<int:person>/answers/<int:annotation>/", people.answer, name="person-answer"),
    path("projects/<slug:slug>/people/<int:person>/map/", members.member_map, name="member-map"),
    path("projects/<slug:slug>/members/adjudicate-own/", members.adjudicate_own, name="adjudicate-own"),
    path("projects/<slug:slug>/import/", imports.import_corpus, name="import"),
    path("projects/<slug:slug>/import/<int:draft>/", imports.import_draft, name="import-draft"),
    path("projects/<slug:slug>/import/<int:draft>/files/", imports.import_files, name="import-files"),
    path(
        "projects/<slug:slug>/import/<int:draft>/files/<int:file>/remove/",
        imports.import_file_remove,
        name="import-file-remove",
    ),
    path("projects/<slug:slug>/import/<int:draft>/check/", imports.import_check, name="import-check"),
    path("projects/<slug:slug>/import/<int:draft>/start/", imports.import_start, name="import-start"),
    path(
        "projects/<slug:slug>/import/<int:draft>/sentences/",
        import_sentences.import_sentences,
        name="import-sentences",
    ),
    path("projects/<slug:slug>/import/<int:draft>/lines/", import_lines.import_lines, name="import-lines"),
    path("projects/<slug:slug>/import/<int:draft>/drop/", imports.import_drop, name="import-drop"),
    path("projects/<slug:slug>/import/<int:draft>/problems.csv", imports.import_problems, name="import-problems"),
    path("projects/<slug:slug>/import/datasets/<int:imported>/", finished.import_done, name="import-done"),
    path("projects/<slug:slug>/import/datasets/<int:imported>/take-back/", finished.undo, name="import-take-back"),
    path("projects/<slug:slug>/import/datasets/<int:imported>/licence/", finished.import_terms, name="import-terms"),
    path("projects/<slug:slug>/terms/", terms.terms, name="terms"),
    path("projects/<slug:slug>/layers/<slug:layer>/terms/merge/", terms.terms_merge, name="terms-merge"),
    path("projects/<slug:slug>/settings/", settings.settings, name="settings"),
    path("projects/<slug:slug>/settings/languages/", languages.language_add, name="settings-language-add"),
    path("projects/<slug:slug>/settings/languages/<str:tag>/", languages.language, name="settings-language"),
    path("projects/<slug:slug>/settings/stages/", stages.stages, name="settings-stages"),
    path("projects/<slug:slug>/settings/stages/add/", stages.stage_add, name="settings-stage-add"),
    path("projects/<slug:slug>/settings/stages/order/", stages.stage_order, name="settings-stage-order"),
    path(
        "projects/<slug:slug>/settings/stages/<int:stage>/context/",
        stages.stage_context,
        name="settings-stage-context",
    ),
    path(
        "projects/<slug:slug>/settings/stages/<int:stage>/training/",
        stage_training.stage_training,
        name="settings-training",
    ),
    path(
        "projects/<slug:slug>/settings/stages/<int:stage>/training/people/",
        stage_training.training_people,
        name="settings-training-people",
    ),
    path("projects/<slug:slug>/settings/stages/<int:stage>/trial/", trials.trial_settings, name="settings-trial"),
    path("projects/<slug:slug>/settings/stages/<int:stage>/remove/", stages.stage_remove, name="settings-stage-remove"),
    path("projects/<slug:slug>/settings/labels/<slug:layer>/", schemes.labels, name="settings-labels"),
    path("projects/<slug:slug>/settings/labels/<slug:layer>/merge/", schemes.label_merge, name="settings-label-merge"),
    path("projects/<slug:slug>/settings/labels/<slug:layer>/split/", schemes.label_split, name="settings-label-split"),
    path(
        "projects/<slug:slug>/settings/labels/<slug:layer>/delete/", schemes.label_delete, name="settings-label-delete"
    ),
    path("projects/<slug:slug>/settings/attributes/<slug:layer>/", schemes.attributes, name="settings-attributes"),
    path("projects/<slug:slug>/settings/rules/<slug:layer>/", schemes.rules, name="settings-rules"),
    path("projects/<slug:slug>/settings/layers/", stages.layer_add, name="settings-layer-add"),
    path("projects/<slug:slug>/settings/card/", releases.card, name="settings-card"),
    path("projects/<slug:slug>/settings/webhooks/", webhooks.webhooks, name="settings-webhooks"),
    path("projects/<slug:slug>/settings/webhooks/<int:hook>/", webhooks.webhook, name="settings-webhook"),
    path("projects/<slug:slug>/settings/lifecycle/", lifecycle.lifecycle, name="settings-lifecycle"),
    path("projects/<slug:slug>/settings/archive/", lifecycle.archive, name="settings-archive"),
    path("projects/<slug:slug>/settings/restore/", lifecycle.restore, name="settings-restore"),
    path("projects/<slug:slug>/settings/copy/", lifecycle.copy, name="settings-copy"),
    path("projects/<slug:slug>/settings/delete/", lifecycle.delete, name="settings-delete"),
    path("projects/<slug:slug>/archives/", archives.archives, name="archives"),
    path("projects/<slug:slug>/archives/start/", archives.archive_start, name="archive-start"),
    path(
        "projects/<slug:slug>/archives/<int:archive>/download/",
        archives.archive_download,
        name="archive-download",
    ),
    path("projects/<slug:slug>/archives/<int:archive>/delete/", archives.archive_delete, name="archive-delete"),
    path("projects/<slug:slug>/settings/delete/again/", projects.project_delete_again, name="project-delete-again"),
    path("projects/<slug:slug>/guidelines/", guidelines.guidelines, name="guidelines"),
    path("projects/<slug:slug>/guidelines/preview/", guidelines.guidelines_preview, name="guidelines-preview"),
    path("projects/<slug:slug>/guidelines/pictures/<str:picture>", guidelines.picture, name="guidelines-picture"),
    path("projects/<slug:slug>/guidelines/edit/", guidelines.guidelines_edit, name="guidelines-edit"),
]
