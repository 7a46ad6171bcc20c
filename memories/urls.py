"""Addresses of captures and memories."""

from django.urls import path

from memories.http.views_archive import ArchiveMemory, UnarchiveMemory
from memories.http.views_batch import CaptureBatch
from memories.http.views_classify import ClassifyMemory
from memories.http.views_contradictions import Contradictions, OneContradiction, ResolveContradiction
from memories.http.views_corrections import CorrectMemory
from memories.http.views_documents import DocumentPassages, Documents, DocumentUploads, OneDocument
from memories.http.views_downgrades import (
    ApproveDowngrade,
    DowngradeMemory,
    Downgrades,
    OneDowngrade,
    RejectDowngrade,
)
from memories.http.views_entities import (
    Entities,
    EntityAliases,
    EntityCommunities,
    EntityMemories,
    EntityProfile,
    EntitySeparation,
    EntityTriples,
    OneEntity,
)
from memories.http.views_graph import MemoryGraph, MemoryLineage
from memories.http.views_groups import ReinstateMemory, UngroupMemory
from memories.http.views_links import LinksByHand, OneLink
from memories.http.views_memories import (
    Captures,
    Memories,
    MemoriesSlice,
    MemoryHistory,
    OneCapture,
    OneMemory,
)
from memories.http.views_review import ReviewCapture
from memories.http.views_sessions import OneSession

urlpatterns = [
    path("captures", Captures.as_view(), name="captures"),
    path("captures/batch", CaptureBatch.as_view(), name="capture-batch"),
    path("captures/<uuid:capture_id>", OneCapture.as_view(), name="capture"),
    path("captures/<uuid:capture_id>/review", ReviewCapture.as_view(), name="capture-review"),
    path("contradictions", Contradictions.as_view(), name="contradictions"),
    path("contradictions/<uuid:contradiction_id>", OneContradiction.as_view(), name="contradiction"),
    path(
        "contradictions/<uuid:contradiction_id>/resolve",
        ResolveContradiction.as_view(),
        name="contradiction-resolve",
    ),
    path("documents", Documents.as_view(), name="documents"),
    path("documents/upload", DocumentUploads.as_view(), name="document-uploads"),
    path("documents/<uuid:document_id>", OneDocument.as_view(), name="document"),
    path("documents/<uuid:document_id>/passages", DocumentPassages.as_view(), name="document-passages"),
    path("downgrades", Downgrades.as_view(), name="downgrades"),
    path("downgrades/<uuid:downgrade_id>", OneDowngrade.as_view(), name="downgrade"),
    path("downgrades/<uuid:downgrade_id>/approve", ApproveDowngrade.as_view(), name="downgrade-approve"),
    path("downgrades/<uuid:downgrade_id>/reject", RejectDowngrade.as_view(), name="downgrade-reject"),
    path("entities", Entities.as_view(), name="entities"),
    path("entities/<uuid:entity_id>", OneEntity.as_view(), name="entity"),
    path("entities/<uuid:entity_id>/separate", EntitySeparation.as_view(), name="entity-separation"),
    path("entities/<uuid:entity_id>/aliases", EntityAliases.as_view(), name="entity-aliases"),
    path("entities/<uuid:entity_id>/memories", EntityMemories.as_view(), name="entity-memories"),
    path("communities", EntityCommunities.as_view(), name="communities"),
    path("entities/<uuid:entity_id>/profile", EntityProfile.as_view(), name="entity-profile"),
    path("entities/<uuid:entity_id>/triples", EntityTriples.as_view(), name="entity-triples"),
    path("memories", Memories.as_view(), name="memories"),
    path("memories/slice", MemoriesSlice.as_view(), name="memories-slice"),
    path("memories/<uuid:memory_id>", OneMemory.as_view(), name="memory"),
    path("memories/<uuid:memory_id>/archive", ArchiveMemory.as_view(), name="memory-archive"),
    path("memories/<uuid:memory_id>/reinstate", ReinstateMemory.as_view(), name="memory-reinstate"),
    path("memories/<uuid:memory_id>/ungroup", UngroupMemory.as_view(), name="memory-ungroup"),
    path("memories/<uuid:memory_id>/unarchive", UnarchiveMemory.as_view(), name="memory-unarchive"),
    path("memories/<uuid:memory_id>/classify", ClassifyMemory.as_view(), name="memory-classify"),
    path("memories/<uuid:memory_id>/correct", CorrectMemory.as_view(), name="memory-correct"),
    path("memories/<uuid:memory_id>/downgrade", DowngradeMemory.as_view(), name="memory-downgrade"),
    path("memories/<uuid:memory_id>/graph", MemoryGraph.as_view(), name="memory-graph"),
    path("memories/<uuid:memory_id>/lineage", MemoryLineage.as_view(), name="memory-lineage"),
    path("memories/<uuid:memory_id>/history", MemoryHistory.as_view(), name="memory-history"),
    path("memories/<uuid:memory_id>/links", LinksByHand.as_view(), name="memory-links"),
    path("memories/<uuid:memory_id>/links/<uuid:link_id>", OneLink.as_view(), name="memory-link"),
    path("sessions/<path:session>", OneSession.as_view(), name="session"),
]
