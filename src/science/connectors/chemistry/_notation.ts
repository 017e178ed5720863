/** What a query for a molecule is written in. A wrong guess would send a name to a structure search, so each of these is strict. */

export const isInchiKey = (text: string): boolean => /^[A-Z]{14}-[A-Z]{10}-[A-Z]$/.test(text)

export const isInchi = (text: string): boolean => /^InChI=1S?\//.test(text)

/** In the order of Hill, carbon and hydrogen first. `H2O`, `NaCl` and `CO2` are names as well, and `SB203580` is nothing but a name. */
export function isFormula(text: string): boolean {
  return HILL.test(text) && /\d/.test(text)
}

/**
 * SMILES: nothing but atoms, bonds and brackets, something among them that a word would not have, all brackets closed and all rings too.
 * `CCO` is looked up as a name; `Co(NO3)2` opens rings that it does not close.
 */
export function isSmiles(text: string): boolean {
  if (!SMILES.test(text)) return false
  const outside = text.replace(/\[[^\]]*\]/g, "")
  const rings = outside.match(/%\d\d|\d/g) ?? []
  const closed = rings.every((ring) => rings.filter((other) => other === ring).length % 2 === 0)
  const balanced = outside.split("(").length === outside.split(")").length
  return closed && balanced && (rings.length > 0 || /[=#()[\]/\\]/.test(text))
}

/** The organic subset stands bare, every other atom in brackets (opensmiles.org, 3.1). */
const SMILES = /^(?:\[[^\]\s]+\]|Br|Cl|[BCNOPSFIbcnops*]|[-=#$:/\\.~()]|%\d\d|\d)+$/

const ELEMENTS =
  "Ac Ag Al Am Ar As At Au Ba Be Bi Bk Br Ca Cd Ce Cf Cl Cm Co Cr Cs Cu Dy Er Es Eu Fe Fm Fr Ga Gd Ge He Hf Hg Ho In Ir Kr La Li Lr Lu Md " +
  "Mg Mn Mo Na Nb Nd Ne Ni No Np Os Pa Pb Pd Pm Po Pr Pt Pu Ra Rb Re Rf Rh Rn Ru Sb Sc Se Si Sm Sn Sr Ta Tb Tc Te Th Ti Tl Tm Xe Yb Zn Zr " +
  "B C D F H I K N O P S U V W Y"

const HILL = new RegExp(`^C\\d{0,3}H\\d{0,3}(?:(?:${ELEMENTS.replaceAll(" ", "|")})\\d{0,3})*$`)
