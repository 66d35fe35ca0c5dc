import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { whenOver } from './share-in-file.ts'
import { root } from './source-files.ts'

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string
  readonly version: string
  /** The path of the tarball. */
  readonly tarball: string
  /** The paths in it. */
  readonly files: readonly string[]
}

/** Packs the built `@plimsoll/core` and `plimsoll`, in this order. The tarballs are removed after the tests that share them. */
export async function packPackages(): Promise<readonly [core: PackedPackage, node: PackedPackage]> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-packed-'))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  const [core, node] = await Promise.all(['packages/core', 'packages/node'].map((path) => pack(path, folder)))
  if (core === undefined || node === undefined) throw new Error('both packages are packed')
  return [core, node]
}

/** The adapters for frameworks. */
export const adapters = ['ai-sdk', 'langchain', 'mastra', 'openai-agents'] as const

/** Packs them, in this order. */
export async function packAdapters(): Promise<readonly PackedPackage[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-packed-'))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  return Promise.all(adapters.map((name) => pack(`packages/${name}`, folder)))
}

interface PackAnswer {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

async function pack(path: string, folder: string): Promise<PackedPackage> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: `${root}/${path}`, maxBuffer: 2 ** 25 })
  // npm 11 prints a list, later versions an object by name.
  const [answer] = Object.values(JSON.parse(stdout) as Readonly<Record<string, PackAnswer>>)
  if (answer === undefined) throw new Error(`npm packed nothing of ${path}`)
  const { name, version, filename, files } = answer
  return { name, version, tarball: join(folder, filename), files: files.map((file) => file.path).toSorted() }
}
