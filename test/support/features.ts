export const feature = (index: number) => ({
  type: index % 2 ? "Chain" : "Domain",
  location: { start: { value: index }, end: { value: index + 1 } },
  description: `feature number ${index}`,
})

/** A record with the shapes that an outline has to tell: deep values, a long array, short ones of several kinds, nothing. */
export const RECORD = {
  primaryAccession: "P04637",
  organism: { scientificName: "Homo sapiens", taxonId: 9606 },
  genes: [{ geneName: { value: "TP53" }, synonyms: [{ value: "P53" }] }],
  features: Array.from({ length: 1523 }, (_, index) => feature(index)),
  lineage: ["Eukaryota", "Metazoa", "Chordata", "Craniata", "Vertebrata", "Euteleostomi", "Mammalia"],
  matrix: [[1], [2]],
  mixed: [1, "a"],
  sequence: "MEEPQSDPSV".repeat(40),
  none: null,
  nothing: [],
}
