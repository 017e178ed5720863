/** After `npm install` in a checkout: builds what hosts load, where Bun is there to do it. An installed package has it built already. */
import { existsSync } from "node:fs"
import path from "node:path"
import { findBun, root, runBun } from "./bun.mjs"

if (findBun() && existsSync(path.join(root, "src"))) process.exitCode = await runBun(["script/build.ts"], { cwd: root })
