import { Failure, url } from "../../connector.ts"
import { barePdbId } from "./_pdb-id.ts"

/** What an id of RCSB PDB names; its parts carry the entry's id: entity `4HHB_1`, chain `4HHB.A` (by label_asym_id), assembly `4HHB-1`. */
export type Kind = "entry" | "model" | "entity" | "chain" | "assembly" | "ligand"

export type Address = (entry: string, part: string) => string

const KINDS: Record<Kind, string> = {
  entry: "an entry (4HHB)",
  model: "a computed model (AF_AFP04637F1)",
  entity: "an entity (4HHB_1)",
  chain: "a chain (4HHB.A)",
  assembly: "an assembly (4HHB-1)",
  ligand: "a ligand (ATP)",
}

const OF_ENTRY =
  /^(?:(?<entry>[1-9][A-Z0-9]{3}|pdb_[0-9a-z]{8})|(?<model>(?:AF|MA)_[A-Z0-9]+))(?:_(?<entity>\d+)|\.(?<chain>[A-Za-z0-9]+)|-(?<assembly>[A-Z0-9]+))?$/

/** The Chemical Component Dictionary has one to three letters, five since 2023; BIRD molecules stand beside it. */
const LIGAND = /^(?:[A-Z0-9]{1,3}|[A-Z0-9]{5}|PRD_\d{6})$/

export const RCSB_ID = new RegExp(`${OF_ENTRY.source}|${LIGAND.source}`)

/** Letter case does not matter before the dot; after it the label_asym_id of a chain is left as it is. */
export function normalizeRcsbId(typed: string): string {
  const id = barePdbId(typed.replace(/^https?:\/\/(?:www\.)?rcsb\.org\/ligand\//i, "")).replace(/-model_v\d+$/, "")
  // AF-P04637-F1 of AlphaFold DB is AF_AFP04637F1 here, ma-bak-cepc-0001 of ModelArchive MA_MABAKCEPC0001.
  if (/^(?:AF|MA)-[A-Z0-9-]+$/i.test(id)) return `${id.slice(0, 2)}_${id.replaceAll("-", "")}`.toUpperCase()
  return id.replace(/^[^.]+/, (head) => (/^pdb_/i.test(head) ? head.toLowerCase() : head.toUpperCase()))
}

/** `entry` is the ligand's own id for a ligand. */
export function partsOf(id: string): { kind: Kind; entry: string; part: string; computed: boolean } {
  const { entry, model, entity, chain, assembly } = OF_ENTRY.exec(id)?.groups ?? {}
  const whole = entry ?? model
  if (whole === undefined) return { kind: "ligand", entry: id, part: "", computed: false }
  const computed = model !== undefined
  if (entity !== undefined) return { kind: "entity", entry: whole, part: entity, computed }
  if (chain !== undefined) return { kind: "chain", entry: whole, part: chain, computed }
  if (assembly !== undefined) return { kind: "assembly", entry: whole, part: assembly, computed }
  return { kind: computed ? "model" : "entry", entry: whole, part: "", computed }
}

/**
 * Where the record is. Whether an entity or a chain is a polymer, a ligand or a glycan does not show in its id: the resource that has it
 * answers, the others say 404.
 */
export function recordAddresses(id: string): string[] {
  const { kind, entry, part } = partsOf(id)
  const resource = RESOURCES[kind]
  if (part === "") return resource.map((name) => url`https://data.rcsb.org/rest/v1/core/${name}/${entry}`)
  return resource.map((name) => url`https://data.rcsb.org/rest/v1/core/${name}/${entry}/${part}`)
}

const RESOURCES: Record<Kind, string[]> = {
  entry: ["entry"],
  model: ["entry"],
  entity: ["polymer_entity", "nonpolymer_entity", "branched_entity"],
  chain: ["polymer_entity_instance", "nonpolymer_entity_instance", "branched_entity_instance"],
  assembly: ["assembly"],
  ligand: ["chemcomp"],
}

/** Where the file of an id is, by what the id names. */
export function served(addresses: Partial<Record<Kind, Address>>): (id: string) => string {
  return (id) => {
    const { kind, entry, part, computed } = partsOf(id)
    const address = computed && kind !== "model" ? undefined : addresses[kind]
    if (address) return address(entry, part)
    const kinds = Object.entries(KINDS).flatMap(([name, words]) => (name in addresses ? [words] : []))
    const hint = computed ? "; other files of a computed model are with its provider (AF_: alphafold)" : ""
    throw new Failure("unsupported_format", `this format is served for ${kinds.join(" or ")}, not for ${id}${hint}`)
  }
}
