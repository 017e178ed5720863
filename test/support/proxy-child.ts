import { createScience } from "../../src/science/science.ts"
import { single } from "./things.ts"

/** Asks for one thing as this process's environment wants it (proxy, certificate authority), and prints the outcome as JSON. */
const mirrors = process.env["TEST_MIRROR"] ? { "*": process.env["TEST_MIRROR"] } : {}
const science = createScience({
  connectors: [single],
  env: {},
  mirrors,
  retry: { attempts: 1 },
  place: { directory: process.cwd() },
})
const { outcomes } = await science.fetch("things", ["T1"], new AbortController().signal)
console.log(JSON.stringify(outcomes[0]))
process.exit(0)
