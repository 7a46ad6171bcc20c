"""A contract for import-linter: who is outside a folder comes in by its door, `__init__.py`."""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.application import contract_utils


class DoorsContract(Contract):
    """
    No module outside a folder imports what lies inside it; the folder itself may be imported by anybody.

    doors: the folders, and modules that are doors besides their folder's own. ignore_imports: as in the
    linter's own contracts; one that matches nothing is an error.
    """

    type_name = "doors"

    doors = fields.ListField(subfield=fields.StringField())
    ignore_imports = fields.SetField(subfield=fields.ImportExpressionField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Return the imports that pass by a door."""
        removed = contract_utils.remove_ignored_imports_and_report(
            graph=graph,
            ignore_imports=self.ignore_imports,
            unmatched_alerting=contract_utils.AlertLevel.ERROR,
        )
        passing = sorted(
            (importer, inner)
            for door in self.doors
            for inner in graph.find_descendants(door) - set(self.doors)
            for importer in graph.find_modules_that_directly_import(inner)
            if not f"{importer}.".startswith(f"{door}.")
        )
        return ContractCheck(
            kept=not passing,
            warnings=list(removed.warnings),
            ignored_import_count=removed.ignored_import_count,
            metadata={"passing": passing},
        )

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Tell which imports pass by a door."""
        for importer, inner in check.metadata["passing"]:
            output.print_error(f"{importer} imports {inner}, past its folder's door")
