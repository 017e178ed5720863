/**
 * The PDB id in what papers, links and file names make of it: `10.2210/pdb6lu7/pdb`, `pdb6lu7.ent`, `6LU7.cif.gz`, and `pdb_00006lu7`, which
 * is 6LU7 in the spelling that new entries will have (wwpdb.org/documentation/new-format-for-pdb-ids). Letter case is left alone, and only
 * a lower-case ending is one of a file: `6LU7.PDB` could be a chain.
 */
export function barePdbId(typed: string): string {
  return typed
    .replace(/^(?:https?:\/\/)?(?:dx\.)?doi\.org\/|^doi:\s*/i, "")
    .replace(/^10\.2210\/(.+)\/pdb$/i, "$1")
    .replace(/\.(?:cif|bcif|pdb|ent|xml)(?:\.gz)?$/, "")
    .replace(/^pdb(?:_0000)?(?=[1-9][0-9a-z]{3}(?:$|[_.-]))/i, "")
}
