/** Writes into docs/specification.md which tests prove each row, from the numbers in the tests' names. Run by `npm run docs:map`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A line of one of the page's tables. */
export interface MapRow {
  readonly number: string
  readonly sentence: string
  /** Links to tests, or why there are none: `open: …`, `informative`, `measured: …`. */
  readonly proof: string
}

/** A test file, by its path from the repository's folder. A live one drives the running agent, gateway or web app. */
export interface Proof {
  readonly path: string
  readonly isLive: boolean
}

/** The test files that name each number, by number. */
export type Proofs = ReadonlyMap<string, readonly Proof[]>

/** Shown in a row whose tests were removed without a reason. */
export const unproven = '**no test**'

/** The page with the third column of every row updated. */
export function updateMap(page: string, proofs: Proofs): string {
  return page
    .split('\n')
    .map((line) => {
      const row = readRow(line)
      return row === null ? line : `| ${row.number} | ${row.sentence} | ${proofOf(row, proofs)} |`
    })
    .join('\n')
}

/** The rows of the page's tables, in order. */
export function readRows(page: string): readonly MapRow[] {
  return page.split('\n').flatMap((line) => readRow(line) ?? [])
}

/** The names of the tests in a file: the first argument of `it`, `test` and `describe`, and table rows that start with a number. */
export function testNames(text: string): readonly string[] {
  const code = text.replace(/^\s*\/\/.*$/gm, '')
  return nameForms.flatMap((form) => [...code.matchAll(form)].map((match) => match[2] as string))
}

/** The numbers in a test's name. */
export function numbersIn(name: string): readonly string[] {
  return name.match(/\b(?:R\d{3}-\d+|Q-\d+[a-z]?)\b/g) ?? []
}

/** Reads all test files of the repository. */
export function findProofs(root: string): Proofs {
  const proofs = new Map<string, Proof[]>()
  for (const path of testFiles(root)) {
    const text = readFileSync(`${root}/${path}`, 'utf8')
    const isLive = path.startsWith('test/browser/') || runsIt.test(text)
    const numbers = new Set(testNames(text).flatMap(numbersIn))
    for (const number of numbers) proofs.set(number, [...(proofs.get(number) ?? []), { path, isLive }])
  }
  return proofs
}

/** Helpers of tests that start the agent, the chat, the web server or the gateway, or run the command. */
const runsIt =
  /from '[^']*\/(?:start-agent|asking|workplace|start-app|start-gateway|gateway-door|start-server|scripted-host|planning|open-terminal|running-command|lived-sessions|compacting)\.ts'/

const quoted = String.raw`(['"\x60])((?:\\.|(?!\1)[^\\\n])*)\1`
const nameForms = [
  new RegExp(String.raw`\b(?:it|test|describe)(?:\.(?!skip|todo)\w+)*\(\s*${quoted}`, 'g'),
  // The second call of `it.each(table)('name', …)`.
  new RegExp(String.raw`\)\(\s*${quoted}`, 'g'),
  new RegExp(String.raw`(?<!\.(?:skip|todo)\(\s*)(['"\x60])((?:R\d{3}|Q)-\d+[a-z]?\b(?:\\.|(?!\1)[^\\\n])*)\1`, 'g'),
]

function readRow(line: string): MapRow | null {
  const match = /^\| ((?:R\d{3}|Q)-\d+[a-z]?) \| (.*) \| ([^|]*) \|$/.exec(line)
  return match === null ? null : { number: match[1] as string, sentence: match[2] as string, proof: match[3] as string }
}

function proofOf(row: MapRow, proofs: Proofs): string {
  const files = proofs.get(row.number)
  if (files !== undefined) return files.map(link).join(', ')
  return row.proof.startsWith('[') ? unproven : row.proof
}

function link({ path, isLive }: Proof): string {
  return `[${posix.basename(path).replace(/(?:\.slow)?\.test\.ts$/, '')}](../${path})${isLive ? ' (live)' : ''}`
}

function testFiles(root: string): readonly string[] {
  // This page's own test uses invented numbers.
  const own = 'test/specification-map.test.ts'
  return ['packages', 'test']
    .flatMap((folder) =>
      readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /^(?:packages\/[\w-]+\/src|test)\/(?!.*\bnode_modules\/).*\.test\.ts$/.test(path) && path !== own)
    .sort()
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url)).slice(0, -1)
  const page = `${root}/docs/specification.md`
  writeFileSync(page, updateMap(readFileSync(page, 'utf8'), findProofs(root)))
}
