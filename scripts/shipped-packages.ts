/** A package in npm's lockfile. */
export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly os?: readonly string[]
  readonly engines?: Readonly<Record<string, string>>
  readonly hasInstallScript?: boolean
  /** Its commands, by name. */
  readonly bin?: Readonly<Record<string, string>>
  readonly deprecated?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** npm's lockfile: every package by its folder. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** A package that is installed with `plimsoll`. */
export interface ShippedPackage extends LockedPackage {
  /** Its folder, relative to the repository. */
  readonly folder: string
  readonly name: string
}

/** All packages installed with the one in this folder, without that one, by folder. Throws if the lockfile lacks one. */
export function shippedPackages({ packages }: Lockfile, from = 'packages/node'): readonly ShippedPackage[] {
  const found = new Map<string, LockedPackage>()
  const queue = [from]
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    const locked = packages[folder]
    if (locked === undefined) throw new Error(`package-lock.json has nothing in ${folder}`)
    if (found.has(folder)) continue
    found.set(folder, locked)
    if (locked.link === true && locked.resolved !== undefined) queue.push(locked.resolved)
    queue.push(...neededBy(packages, folder, locked))
  }
  return [...found]
    .filter(([folder, { link }]) => folder !== from && link !== true)
    .map(([folder, locked]) => ({ ...locked, folder, name: nameOf(folder) ?? `@plimsoll/${folder.slice('packages/'.length)}` }))
    .toSorted((one, other) => (one.folder < other.folder ? -1 : 1))
}

/** The lockfile as if packages that a build bundles into `plimsoll` were installed with it. */
export function withBundled({ packages }: Lockfile, from = 'packages/node'): Lockfile {
  const locked = packages[from]
  return {
    packages: { ...packages, [from]: { ...locked, dependencies: { ...locked?.dependencies, ...locked?.devDependencies } } },
  }
}

function neededBy(packages: Lockfile['packages'], folder: string, locked: LockedPackage): readonly string[] {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = locked
  // npm also installs peer dependencies, unless they are optional.
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }), ...peers].map(
    (name) => findFrom(packages, folder, name) ?? `${folder}/node_modules/${name}`,
  )
}

/** Looks for a package like Node: in the folder itself, then in every parent. */
function findFrom(packages: Lockfile['packages'], folder: string, name: string): string | null {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const candidate = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[candidate] !== undefined) return candidate
    if (at === '') return null
  }
}

function nameOf(folder: string): string | null {
  const mark = 'node_modules/'
  const at = folder.lastIndexOf(mark)
  return at < 0 ? null : folder.slice(at + mark.length)
}
