import { keep, pick, url, z, type AnswerHead, type Http, type Json } from "../../connector.ts"

export const REST = "https://pubchem.ncbi.nlm.nih.gov/rest/pug"

/** By the names of 2025: `IsomericSMILES` is `SMILES` now, `CanonicalSMILES` is `ConnectivitySMILES`. */
export const PROPERTIES = [
  "Title,MolecularFormula,MolecularWeight,SMILES,ConnectivitySMILES,InChI,InChIKey,IUPACName,XLogP,ExactMass,MonoisotopicMass,TPSA",
  "Complexity,Charge,HBondDonorCount,HBondAcceptorCount,RotatableBondCount,HeavyAtomCount,IsotopeAtomCount,AtomStereoCount",
  "DefinedAtomStereoCount,UndefinedAtomStereoCount,BondStereoCount,DefinedBondStereoCount,UndefinedBondStereoCount,CovalentUnitCount",
].join()

/** The service's own word in whatever format was asked for: JSON, or lines of `Code: PUGREST.NotFound`. */
export function notFound({ status, head }: AnswerHead): boolean {
  return status === 404 && /PUG(?:REST|VIEW)\.NotFound/.test(head)
}

/**
 * A compound as PubChem keeps it (`PC_Compounds`: atoms, bonds, coordinates) has no name, so its properties, description and synonyms stand
 * beside it. Several compounds cost as many requests as one.
 */
export async function compounds(cids: string[], http: Http): Promise<Map<string, Json>> {
  if (cids.length === 0) return new Map()
  const [only] = cids
  const ask = (operation: string) =>
    only !== undefined && cids.length === 1
      ? http.json(`${REST}/compound/cid/` + url`${only}/` + operation)
      : http.json(`${REST}/compound/cid/${operation}`, { form: { cid: cids.join() } })
  const part = (name: string, operation: string, read: (answer: Json) => CidRow[]) =>
    http.part(name, async () => {
      const answer = await ask(operation)
      return answer === undefined ? [] : read(answer)
    })

  const answer = await ask("JSON")
  if (answer === undefined) return new Map()
  const structures = keep(STRUCTURES, answer).PC_Compounds
  const [properties, description, synonyms] = await Promise.all([
    part("properties", `property/${PROPERTIES}/JSON`, (table) => keep(TABLE, table).PropertyTable.Properties),
    part("description", "description/JSON", (list) => keep(INFORMATION, list).InformationList.Information),
    part("synonyms", "synonyms/JSON", (list) => keep(INFORMATION, list).InformationList.Information),
  ])
  return new Map(
    cids.flatMap((cid): [string, Json][] => {
      const own = (rows: CidRow[]) => rows.filter(({ CID }) => String(CID) === cid)
      const structure = structures.find((each) => String(COMPOUND.safeParse(each).data?.id.id.cid) === cid)
      const row = properties && own(properties)[0]
      if (!structure || (row && isGhost(row))) return []
      const record = {
        ...(row && { properties: row }),
        ...(description && { description: own(description) }),
        ...(synonyms && { synonyms: own(synonyms).flatMap(({ Synonym = [] }) => Synonym) }),
        PC_Compounds: [structure],
      }
      return [[cid, record]]
    }),
  )
}

/** The rows of the compounds that exist: for any other number PubChem answers with a row that holds nothing but the number. */
export async function propertiesOf(cids: string[], http: Http): Promise<Row[]> {
  const answer = await http.json(
    `${REST}/compound/cid/property/Title,MolecularFormula,MolecularWeight,IUPACName/JSON`,
    { form: { cid: cids.join() }, miss: notFound },
  )
  return answer === undefined ? [] : pick(ROWS, answer).PropertyTable.Properties.filter((row) => !isGhost(row))
}

function isGhost(row: object): boolean {
  return Object.keys(row).length === 1
}

export const COMPOUND = z.lazy(() => z.object({ id: z.object({ id: z.object({ cid: z.number() }) }) }))

const STRUCTURES = z.lazy(() => z.object({ PC_Compounds: z.array(z.unknown()) }))

const CID_ROW = z.lazy(() => z.looseObject({ CID: z.number(), Synonym: z.array(z.string()).optional() }))

type CidRow = z.infer<typeof CID_ROW>

const TABLE = z.lazy(() => z.object({ PropertyTable: z.object({ Properties: z.array(CID_ROW) }) }))

const INFORMATION = z.lazy(() => z.object({ InformationList: z.object({ Information: z.array(CID_ROW) }) }))

const ROW = z.lazy(() =>
  z.object({
    CID: z.number(),
    Title: z.string().optional(),
    MolecularFormula: z.string().optional(),
    MolecularWeight: z.string().optional(),
    IUPACName: z.string().optional(),
  }),
)

type Row = z.infer<typeof ROW>

const ROWS = z.lazy(() => z.object({ PropertyTable: z.object({ Properties: z.array(ROW) }) }))
