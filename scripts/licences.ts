/** Writes docs/licences.md: the licences of everything that ships with Plimsoll. Run by `npm run docs:licences`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Lockfile, shippedPackages } from './shipped-packages.ts'

/** A third-party package and its licence. */
export interface Licensed {
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** The allowed licences: each permits use and redistribution with no more than its notice. */
export const allowedLicences: readonly string[] = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'CC0-1.0',
  'Unlicense',
  'BlueOak-1.0.0',
]

/** Whether a licence, or at least one of several alternatives, is allowed. */
export function isAllowed(licence: string): boolean {
  const plain = licence.replace(/^\((.*)\)$/, '$1')
  return (
    !/[()]/.test(plain) &&
    plain.split(' OR ').some((choice) => choice.split(' AND ').every((one) => allowedLicences.includes(one)))
  )
}

/** The packages that npm installs with `plimsoll`, each version once. Builds of one program for several systems are one row. */
export function installedLicences(lock: Lockfile): readonly Licensed[] {
  const rows = shippedPackages(lock)
    .filter(({ name }) => !name.startsWith('@plimsoll/'))
    .map(({ name, version = '', license = 'unknown', os }) => ({
      name: os === undefined ? name : name.replace(/-[^-/]+-[^-/]+$/, '-*'),
      version,
      licence: license,
    }))
  return eachOnce(rows)
}

/** The packages built into the web app or the command, read from their notices. */
export function builtInLicences(notices: string): readonly Licensed[] {
  const rows = [...notices.matchAll(/^={78}\n(\S+) (\S+) \((.+)\)$/gm)]
  return eachOnce(rows.map(([, name = '', version = '', licence = '']) => ({ name, version, licence })))
}

/** The page. */
export function licencesPage({ installed, builtIn, bundled }: Licences): string {
  return `# Licences

Plimsoll itself is under the MIT licence. This page lists what comes with it; \`npm run docs:licences\` writes it, and a test fails when it is
out of date or when something ships under a licence that asks for more than its notice.

\`@plimsoll/core\` has no dependencies and contains no third-party code.

## Built into the web app

The code of these packages is inside the files that \`plimsoll serve\` shows and that \`plimsoll inspect --html\` writes. Their licences travel with
them: in \`dist/web/third-party-licences.txt\` of the package, and as a comment in every page that \`inspect --html\` writes.

${table(builtIn)}

## Built into the command

Of these packages, only the used parts are inside the package \`plimsoll\`, which makes an installation a third as large. Their licences are in
\`dist/bundled/third-party-licences.txt\` of the package.

${table(bundled)}

## Installed with \`plimsoll\`

npm fetches these, each with its own licence in its folder; versions as in \`package-lock.json\`. A \`*\` stands for the systems that there is a
build for, of which one is installed.

${table(installed)}
`
}

function eachOnce(rows: readonly Licensed[]): readonly Licensed[] {
  const unique = new Map(rows.map((row) => [`${row.name} ${row.version}`, row]))
  return [...unique].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

function table(rows: readonly Licensed[]): string {
  const lines = rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`)
  return ['| Package | Version | Licence |', '|---|---|---|', ...lines].join('\n')
}

/** What ships with Plimsoll. */
interface Licences {
  readonly installed: readonly Licensed[]
  /** In the web app. */
  readonly builtIn: readonly Licensed[]
  /** In the command. */
  readonly bundled: readonly Licensed[]
}

/** Reads the licences in the repository, which must be built. */
export function readLicences(root: string): Licences {
  const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
  return {
    installed: installedLicences(JSON.parse(read('package-lock.json')) as Lockfile),
    builtIn: builtInLicences(read('packages/node/dist/web/third-party-licences.txt')),
    bundled: builtInLicences(read('packages/node/dist/bundled/third-party-licences.txt')),
  }
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url)).slice(0, -1)
  writeFileSync(`${root}/docs/licences.md`, licencesPage(readLicences(root)))
}
