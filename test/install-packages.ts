import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { type Lockfile, type ShippedPackage, shippedPackages } from '../scripts/shipped-packages.ts'
import { packPackages } from './pack-packages.ts'
import { whenOver } from './share-in-file.ts'
import { root } from './source-files.ts'

const run = promisify(execFile)

/**
 * Installs both packages with npm, as they would be published, into an empty folder outside the repository, and returns the folder.
 * Only their dependencies are copied there first from the repository, so no network is needed.
 */
export async function installPackages(): Promise<string> {
  const packed = await packPackages()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-installed-')))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  const shipped = shippedPackages(JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as Lockfile).filter(isForeign)
  for (const { tarball } of packed) copyFileSync(tarball, join(folder, basename(tarball)))
  const here = shipped.filter((one) => existsSync(join(root, one.folder)))
  for (const one of here) {
    link(join(root, one.folder), join(folder, placeOf(one)))
    linkCommands(one, join(folder, 'node_modules'))
  }
  const dependencies = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${basename(tarball)}`]))
  const manifest = { name: 'empty', version: '1.0.0', dependencies }
  const own = packed.map(({ name, tarball }) => [
    `node_modules/${name}`,
    { ...manifestOf(name), resolved: `file:${basename(tarball)}` },
  ])
  const write = (path: string, value: object) => writeFileSync(join(folder, path), JSON.stringify(value))
  write('package.json', manifest)
  write('package-lock.json', lockfile({ '': manifest, ...Object.fromEntries(own), ...locked(shipped) }))
  // Written last: npm reads here what is already installed.
  write('node_modules/.package-lock.json', lockfile(locked(here)))
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  return folder
}

const isForeign = ({ name }: ShippedPackage) => !name.startsWith('@plimsoll/')

/** npm would download a package again if its commands were missing. */
function linkCommands({ folder, name, bin = {} }: ShippedPackage, modules: string): void {
  if (folder !== `node_modules/${name}`) return
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const [command, path] of Object.entries(bin)) symlinkSync(join('..', name, path), join(modules, '.bin', command))
}

/** Copies a package of the repository into the installed one. */
function placeOf({ folder }: ShippedPackage): string {
  return folder.replace(/^packages\/node\//, 'node_modules/plimsoll/')
}

function lockfile(packages: object): object {
  return { name: 'empty', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
}

function locked(packages: readonly ShippedPackage[]): object {
  const notHere = new Set(['folder', 'name', 'dev', 'devOptional', 'peer'])
  return Object.fromEntries(
    packages.map((one) => [placeOf(one), Object.fromEntries(Object.entries(one).filter(([key]) => !notHere.has(key)))]),
  )
}

function manifestOf(name: string): object {
  const folder = name === 'plimsoll' ? 'packages/node' : 'packages/core'
  const { version, license, bin, engines, dependencies } = JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8'))
  return { version, license, bin, engines, dependencies }
}

/** Hard-links the files of a package, which is much cheaper than copying. Nested packages have their own entries. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory() && entry.name !== 'node_modules') link(source, target)
    else if (entry.isFile()) linkFile(source, target)
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // The folders may be on different disks.
    copyFileSync(from, to)
  }
}
