"""Uploading a release to a hub of datasets, as a repository of files that `load_dataset` reads, with the token of the
person who does it. The token is sent to the hub and kept nowhere.
"""

from __future__ import annotations

import zipfile
from importlib.util import find_spec
from tempfile import TemporaryDirectory

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.models import Release
from annotator.releases.actions.publishing import check_address, check_authors, log_publishing

HUB = "https://huggingface.co"


def upload_release(*, release: Release, token: str, dataset: str, address: str = HUB, publish: bool = False) -> str:
    """Make the files of a release those of the hub's dataset `dataset` ("owner/name"), as one commit, with a tag of the
    release's number. A dataset that is not there is made, private unless `publish`. Returns the address of its page.

    Raises ActionError where the extra `hub` is missing or the card lacks authors, and for what the hub refuses.
    """
    check_authors(release)
    check_address(address)
    if find_spec("huggingface_hub") is None:
        raise ActionError(_("Uploading to a hub needs the extra “hub”: pip install 'translatio[hub]'."))
    # Loaded here: an extra.
    from httpx2 import HTTPError
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    api = HfApi(endpoint=address.rstrip("/"), token=token, library_name="translatio")
    name = f"release-{release.number}"
    try:
        with TemporaryDirectory() as folder:
            with site_files().open(release.stored) as file, zipfile.ZipFile(file) as packed:
                packed.extractall(folder)
            api.create_repo(dataset, repo_type="dataset", private=not publish, exist_ok=True)
            api.upload_folder(
                repo_id=dataset, repo_type="dataset", folder_path=folder, delete_patterns="*", commit_message=name
            )
        api.create_tag(dataset, repo_type="dataset", tag=name, exist_ok=True)
    except HFValidationError as error:
        raise ActionError(_("Enter the dataset as owner/name: %(why)s") % {"why": error}) from error
    except HfHubHTTPError as error:
        if error.response.status_code in (401, 403):
            raise ActionError(_("The hub refused the token. Create one that may write datasets.")) from error
        raise ActionError(_("The hub answered with an error: %(said)s") % {"said": error}) from error
    except (HTTPError, OSError) as error:
        raise ActionError(_("The hub cannot be reached: %(why)s") % {"why": error}) from error
    page = f"{address.rstrip('/')}/datasets/{dataset}"
    log_publishing(release, page, published=publish)
    return page
