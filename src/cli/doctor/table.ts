import { clip, oneLine } from "../../science/clean.ts"
import { size } from "../../tool/say.ts"
import { CHECKS, type Check, type Examined } from "./examine.ts"

const DB_COLUMN = 22
const CHECK_COLUMN = 20

/** A row a database, a column a check; below it what is broken, a line each. */
export function table(all: Examined[]): string {
  const header = ["database".padEnd(DB_COLUMN), ...CHECKS.map((name) => name.padEnd(CHECK_COLUMN))].join("").trimEnd()
  const rows = all.map(({ db, checks }) =>
    [db.padEnd(DB_COLUMN), ...CHECKS.map((name) => cell(checks.find((check) => check.name === name)))]
      .join("")
      .trimEnd(),
  )
  const broken = all.flatMap(({ db, checks }) =>
    checks
      .filter(({ result }) => result === "broken")
      .map(({ name, asked, why = "" }) => `${db} ${name} ${JSON.stringify(asked)}: ${clip(oneLine(why), 240)}`),
  )
  const whole = all.filter((each) => !each.broken).length
  return [
    header,
    ...rows,
    "",
    ...broken,
    ...(broken.length > 0 ? [""] : []),
    `${whole} of ${all.length} databases work`,
  ].join("\n")
}

function cell(check: Check | undefined): string {
  if (check === undefined || check.result === "none") return "–".padEnd(CHECK_COLUMN)
  const text = check.result === "broken" ? "BROKEN" : `${check.ms} ms ${size(check.bytes)}`
  return text.padEnd(CHECK_COLUMN)
}
