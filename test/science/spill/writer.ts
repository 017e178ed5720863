import { spill } from "../../../src/science/spill/index.ts"

/**
 * A process that spills, for the tests of several processes, of a killed one, and of memory: `writer.ts DIRECTORY LETTER MEBIBYTES TIMES`.
 * It says "writing" once bytes are on the disk, and at its end how much its memory grew.
 */
const [directory = "", letter = "", mebibytes = "", times = ""] = process.argv.slice(2)

async function* body() {
  for (let written = 0; written < Number(mebibytes) * 1024 * 1024; written += 65536) {
    yield Buffer.from(`>${letter.repeat(65534)}\n`)
    // Lets a test's signal in between.
    await new Promise(setImmediate)
  }
}

const before = process.memoryUsage.rss()
let most = before
let said = false

for (let time = 0; time < Number(times); time++)
  await spill({
    directory,
    relativePath: ".openscience/fetch/db/x.fasta",
    kind: "fasta",
    body: body(),
    maxBytes: Infinity,
    onProgress() {
      most = Math.max(most, process.memoryUsage.rss())
      if (!said) process.stdout.write("writing\n")
      said = true
    },
  }).catch((error: unknown) => process.stdout.write(`${String(error)}\n`))

process.stdout.write(JSON.stringify({ grownMebibytes: (most - before) / 1024 / 1024 }))
