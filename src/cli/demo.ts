import { Command } from "commander"
import type { Status } from "./exit.ts"

export const demoCommand = (_status: Status): Command =>
  new Command("demo").description("the main job in one minute, on embedded answers").action(() => undefined)
