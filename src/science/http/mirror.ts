/** Host (or `*`) → origin that stands in for it; `{host}` in the origin is replaced by the database's host. */
export type Mirrors = Record<string, string>

export interface Mirror {
  /** Where a request to `target` really goes. */
  to(target: URL): URL
  /** Whether `target` is answered by a mirror. */
  covers(target: URL): boolean
  /** A `Location` that the mirror answered for `target`, as an address of the database itself. */
  back(location: string, target: URL): string
}

export function createMirror(mirrors: Mirrors = {}): Mirror {
  const base = (target: URL) => {
    const template = mirrors[target.hostname] ?? mirrors["*"]
    return template?.replaceAll("{host}", target.hostname).replace(/\/+$/, "")
  }
  return {
    covers: (target) => base(target) !== undefined,
    to: (target) => {
      const origin = base(target)
      return origin === undefined ? target : new URL(origin + target.pathname + target.search)
    },
    back: (location, target) => {
      const resolved = new URL(location, target)
      // A proxy may rewrite Location to itself: under the mirror's own base it means the database's path.
      const origin = base(target)
      if (origin !== undefined && `${resolved.href}/`.startsWith(`${origin}/`))
        return new URL(resolved.href.slice(origin.length) || "/", target.origin).href
      return resolved.href
    },
  }
}
