import { accession } from "./_accession.ts"

/** An experiment or an array design, or one file of it: E-MTAB-1234/E-MTAB-1234.sdrf.txt. */
export const ID = /^[AE]-[A-Z]{4}-\d+(?:(?!.*\/\.\.?(?:\/|$))\/[^\s\\<>%"\p{C}][^\\<>%"\p{C}]*)?$/u

/** The service tells letter case apart. */
export const normalize = (typed: string): string =>
  accession(
    typed
      .replace(
        /^https?:\/\/www\.ebi\.ac\.uk\/(?:biostudies\/(?:\w+\/)?(?:studies|files)|arrayexpress\/experiments)\//i,
        "",
      )
      .replace(/\/(?:\?.*)?$/, ""),
  )
