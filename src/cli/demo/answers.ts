/**
 * What the demonstration's loopback server answers: small, true extracts, written by hand in the services' own shapes.
 * Facts: UniProt release 2026_03 (CC BY 4.0), AlphaFold DB model version 6 (CC BY 4.0).
 */

const P53_SEQUENCE =
  "MEEPQSDPSVEPPLSQETFSDLWKLLPENNVLSPLPSQAMDDLMLSPDDIEQWFTEDPGPDEAPRMPEAAPPVAPAPAAPTPAAPAPAPSWPLSSSVPSQKTYQGSYGFRLGFLHSGTAKSVTCTYSPALNKMFCQLAKTCPVQLWVDSTPPPGTRVRAMAIYKQSQHMTEVVRRCPHHERCSDSDGLAPPQHLIRVEGNLRVEYLDDRNTFRHSVVVPYEPPEVGSDCTTIHYNYMCNSSCMGGMNRRPILTIITLEDSSGNLLGRNSFEVRVCACPGRDRRTEEENLRKKGEPHHELPPGSTKRALPNNTSSSPQPKKKPLDGEYFTLQIRGRERFEMFRELNEALELKDAQAGKEPGGSRAHSSHLKSKKGQSTSRHKKLMFKTEGPDSD"

const HBA_SEQUENCE =
  "MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTPAVHASLDKFLASVSTVLTSKYR"

type Place = [type: string, start: number, end: number, description: string]

const PLACES: Place[] = [
  ["Chain", 1, 393, "Cellular tumor antigen p53"],
  ["DNA binding", 102, 292, ""],
  ["Region", 1, 83, "Interaction with HRMT1L2"],
  ["Region", 1, 44, "Transcription activation (acidic)"],
  ["Region", 1, 320, "Interaction with CCAR2"],
  ["Motif", 17, 25, "TADI"],
  ["Motif", 48, 56, "TADII"],
  ["Motif", 305, 321, "Bipartite nuclear localization signal"],
  ["Compositional bias", 69, 90, "Pro residues"],
  ["Compositional bias", 282, 299, "Basic and acidic residues"],
  ["Compositional bias", 365, 384, "Basic residues"],
  ["Binding site", 176, 176, "zinc"],
  ["Binding site", 179, 179, "zinc"],
  ["Binding site", 238, 238, "zinc"],
  ["Binding site", 242, 242, "zinc"],
  ["Site", 120, 120, "Interaction with DNA"],
  ["Modified residue", 9, 9, "Phosphoserine; by HIPK4"],
  ["Modified residue", 15, 15, "Phosphoserine; by CDK5, PRPK, AMPK, NUAK1 and ATM"],
  ["Modified residue", 18, 18, "Phosphothreonine; by CK1, VRK1 and VRK2"],
  ["Cross-link", 291, 291, "Glycyl lysine isopeptide (Lys-Gly) (interchain with G-Cter in ubiquitin)"],
  ["Cross-link", 292, 292, "Glycyl lysine isopeptide (Lys-Gly) (interchain with G-Cter in ubiquitin)"],
  ["Alternative sequence", 1, 132, "in isoform 7, isoform 8 and isoform 9"],
  ["Alternative sequence", 1, 39, "in isoform 4, isoform 5 and isoform 6"],
  ["Mutagenesis", 15, 15, "Loss of interaction with PPP2R5C, PPP2CA and PPP2R1A."],
  ["Helix", 19, 29, ""],
  ["Helix", 30, 32, ""],
  ["Beta strand", 110, 112, ""],
  ["Beta strand", 119, 121, ""],
]

const human = { scientificName: "Homo sapiens", commonName: "Human", taxonId: 9606 }
const mouse = { scientificName: "Mus musculus", commonName: "Mouse", taxonId: 10090 }
const fullName = { value: "Cellular tumor antigen p53" }

export const P53 = {
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P04637",
  secondaryAccessions: ["Q15086", "Q15087", "Q15088"],
  uniProtkbId: "P53_HUMAN",
  annotationScore: 5.0,
  organism: human,
  proteinExistence: "1: Evidence at protein level",
  proteinDescription: { recommendedName: { fullName } },
  genes: [{ geneName: { value: "TP53" }, synonyms: [{ value: "P53" }] }],
  comments: [
    {
      commentType: "FUNCTION",
      texts: [
        {
          value:
            "Multifunctional transcription factor that induces cell cycle arrest, DNA repair or apoptosis upon binding to its target DNA sequence.",
        },
      ],
    },
  ],
  features: PLACES.map(([type, start, end, description]) => ({
    type,
    location: { start: { value: start, modifier: "EXACT" }, end: { value: end, modifier: "EXACT" } },
    description,
  })),
  sequence: { value: P53_SEQUENCE, length: 393, molWeight: 43653, crc64: "AD5C149FD8106131" },
}

export const P53_HITS = {
  results: [
    P53,
    {
      entryType: "UniProtKB reviewed (Swiss-Prot)",
      primaryAccession: "P02340",
      uniProtkbId: "P53_MOUSE",
      organism: mouse,
      proteinDescription: { recommendedName: { fullName } },
      genes: [{ geneName: { value: "Tp53" } }],
      sequence: { length: 390 },
    },
  ],
}

export const P53_FASTA = `>sp|P04637|P53_HUMAN Cellular tumor antigen p53 OS=Homo sapiens OX=9606 GN=TP53 PE=1 SV=4\n${(P53_SEQUENCE.match(/.{1,60}/g) ?? []).join("\n")}\n`

export const HBA_MODEL = [
  {
    entryId: "AF-P69905-F1",
    modelEntityId: "AF-P69905-F1",
    uniprotAccession: "P69905",
    uniprotId: "HBA_HUMAN",
    uniprotDescription: "Hemoglobin subunit alpha",
    gene: "HBA1",
    taxId: 9606,
    organismScientificName: "Homo sapiens",
    toolUsed: "AlphaFold Monomer v2.0 pipeline",
    globalMetricValue: 98.06,
    fractionPlddtVeryLow: 0.0,
    fractionPlddtLow: 0.007,
    fractionPlddtConfident: 0.0,
    fractionPlddtVeryHigh: 0.993,
    latestVersion: 6,
    modelCreatedDate: "2025-08-01T00:00:00Z",
    sequence: HBA_SEQUENCE,
    sequenceStart: 1,
    sequenceEnd: 142,
    cifUrl: "https://alphafold.ebi.ac.uk/files/AF-P69905-F1-model_v6.cif",
    pdbUrl: "https://alphafold.ebi.ac.uk/files/AF-P69905-F1-model_v6.pdb",
  },
]
