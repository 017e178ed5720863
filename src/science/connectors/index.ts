// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"

export const connectors: readonly Connector[] = []
