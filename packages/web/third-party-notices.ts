import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The file that names whose code was built in, with their licences. */
export const noticesFile = 'third-party-licences.txt'

/** Writes the licences of all bundled packages to a file next to the bundle. */
export function noticesAsFile(): Plugin {
  return {
    name: 'plimsoll-notices-as-file',
    generateBundle(_options, bundle) {
      this.emitFile({ type: 'asset', fileName: noticesFile, source: noticesOf(webApp, Object.values(bundle).flatMap(modulesOf)) })
    },
  }
}

/** Puts the same licences before the script itself, for one that travels alone, inside a page. */
export function noticesInScript(): Plugin {
  return {
    name: 'plimsoll-notices-in-script',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk')
          chunk.code = `/*!\n${noticesOf(webApp, modulesOf(chunk)).replaceAll('*/', '* /')}*/\n${chunk.code}`
      }
    },
  }
}

interface Built {
  readonly type: 'asset' | 'chunk'
  readonly moduleIds?: readonly string[]
}

function modulesOf(built: Built): readonly string[] {
  return built.moduleIds ?? []
}

const webApp = "Plimsoll's web app"

/** The notices of the packages that these modules belong to, by name. Code of this repository is not included. */
export function noticesOf(program: string, modules: readonly string[]): string {
  const folders = [...new Set(modules.flatMap((id) => packageFolder(id) ?? []))].map(readPackage)
  const notices = new Map(folders.map((one) => noticeOf(one, folders)).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  const each = [...notices].map(([title, text]) => `\n${'='.repeat(78)}\n${title}\n\n${text}\n`)
  return `${program} has code of these packages in it.\n${each.join('')}`
}

function packageFolder(id: string): string | null {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replace(/^\0/, ''))?.[0] ?? null
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name?: string }
}

interface Package {
  readonly manifest: Manifest
  /** The text of its licence; null if it ships none, or only says where one is. */
  readonly text: string | null
}

function readPackage(folder: string): Package {
  const text = licenceText(folder)
  return {
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    text: text !== null && text.length > 200 ? text : null,
  }
}

/** A package's name, version and licence, and the licence's text, or that of the same licence in another package. */
function noticeOf({ manifest, text }: Package, all: readonly Package[]): readonly [string, string] {
  const { name, version, license } = manifest
  // Fails on a package without a known licence.
  if (license === undefined) throw new Error(`${name} ${version} does not say what its licence is`)
  const general = license.startsWith('Apache')
    ? all.filter((other) => other.manifest.license === license).map((other) => other.text ?? '')
    : []
  const longest = general.toSorted((one, other) => other.length - one.length)[0]
  return [`${name} ${version} (${license})`, text ?? longest ?? declared(manifest)]
}

function licenceText(folder: string): string | null {
  const file = existsSync(folder)
    ? readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)(?:\.\w+)?$/i.test(entry))
    : undefined
  return file === undefined ? null : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
}

/** For a package that ships no text of its licence: most licences ask for theirs. */
function declared({ name, license, author }: Manifest): string {
  if (license !== 'Unlicense') throw new Error(`${name} ships no text of its licence, ${license}`)
  const by = typeof author === 'string' ? author.replace(/\s*[<(].*$/, '') : author?.name
  return `${by ?? 'Its authors'}: given into the public domain by the Unlicense.`
}
