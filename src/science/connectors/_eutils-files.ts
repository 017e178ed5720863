/** Files of records of Entrez. */
import { Failure, Miss, Successor } from "../connector.ts"
import type { FileFormat, Http, Json, Location } from "../connector.ts"

type Records = (ids: string[], http: Http) => Promise<Map<string, Json | Miss | Failure>>

/** A file of one record, whichever id it was asked by. */
export function fileOf(
  kind: FileFormat["kind"],
  records: Records,
  place: (record: Json, http: Http, id: string) => Promise<Location | Miss> | Location | Miss,
): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      const record = (await records([id], http)).get(id) ?? new Miss()
      if (record instanceof Failure) throw record
      return record instanceof Miss ? record : await place(present(record), http, id)
    },
  }
}

/** A file that can hold any number of records. NCBI leaves out those that it does not know without a word, so they are looked for first. */
export function jointFileOf(
  kind: FileFormat["kind"],
  records: Records,
  place: (records: Json[]) => Location,
): FileFormat {
  return {
    ...fileOf(kind, records, (record) => place([record])),
    many: async (ids, http) => {
      const answers = [...(await records(ids, http))]
      const failure = answers.map(([, answer]) => answer).find((answer) => answer instanceof Failure)
      if (failure) throw failure
      const missing = new Map(answers.flatMap(([id, answer]) => (answer instanceof Miss ? [[id, answer]] : [])))
      const found = answers.flatMap(([, answer]) => (answer instanceof Miss ? [] : [present(answer)]))
      return found.length === 0 ? { missing } : { location: place(found), missing }
    },
  }
}

/** What took the place of a record has the file. */
const present = (answer: Json) => (answer instanceof Successor ? answer.record : answer)
