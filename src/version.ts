import manifest from "../package.json" with { type: "json" }

export const { name, version } = manifest
