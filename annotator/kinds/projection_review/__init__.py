"""Labels that were projected from another language: keep them, drop what was lost, add what was gained."""

from annotator.core.kind import register
from annotator.kinds.projection_review.kind import ProjectionReview

register(ProjectionReview())
