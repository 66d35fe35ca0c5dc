import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { prepareRelease, published } from '../scripts/release.ts'
import { root } from './source-files.ts'

const changed = [
  ...[...published, 'web'].map((name) => `packages/${name}/package.json`),
  'plugin/.claude-plugin/plugin.json',
  'package-lock.json',
  'CHANGELOG.md',
]

describe('a release', () => {
  it('sets one version everywhere and closes the section of the changelog', () => {
    const folder = copied()
    prepareRelease(folder, '12.3.4', '2026-11-20')
    const read = (path: string) => readFileSync(join(folder, path), 'utf8')
    for (const path of changed.filter((name) => name.endsWith('package.json') || name.endsWith('plugin.json'))) {
      const {
        version,
        dependencies = {},
        devDependencies = {},
      } = JSON.parse(read(path)) as Record<string, Record<string, string>>
      const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => name.startsWith('@plimsoll/'))
      expect([path, version, ...ours.map(([, wanted]) => wanted)]).toEqual([path, '12.3.4', ...ours.map(() => '12.3.4')])
    }
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { readonly version?: string }> }
    expect(published.map((name) => packages[`packages/${name}`]?.version)).toEqual(published.map(() => '12.3.4'))
    expect(read('CHANGELOG.md')).toMatch(/^# Changelog\n\n## Unreleased\n\n## 12\.3\.4, 2026-11-20\n\n\* /)
  })

  it.each(['0.0.9', '0.1.0', '1.0', 'v1.0.0', '', '1.0.0; rm'])('refuses the version %j and changes nothing', (version) => {
    const folder = copied()
    expect(() => prepareRelease(folder, version, '2026-11-20')).toThrow('expected a version after')
    for (const path of changed) expect(readFileSync(join(folder, path), 'utf8')).toBe(readFileSync(join(root, path), 'utf8'))
  })

  it('refuses a changelog without anything new', () => {
    const folder = copied()
    prepareRelease(folder, '12.3.4', '2026-11-20')
    expect(() => prepareRelease(folder, '12.3.5', '2026-11-21')).toThrow('Unreleased')
  })

  it('publishes every package that is not private, without a warning of npm', { timeout: 120_000 }, async () => {
    const publish = parse(readFileSync(`${root}/.github/workflows/release.yml`, 'utf8')) as Workflow
    const steps = publish.jobs['publish']?.steps.map(({ run }) => run ?? '').join('\n')
    expect(/for name in ([\w -]+);/.exec(steps ?? '')?.[1]?.split(' ')).toEqual([...published])
    for (const name of published) {
      const options = {
        cwd: `${root}/packages/${name}`,
        maxBuffer: 2 ** 25,
        env: {
          ...process.env,
          npm_config_loglevel: 'warn',
          npm_config_registry: 'http://127.0.0.1:9',
          npm_config_fetch_retries: '0',
        },
      }
      const { stderr } = await promisify(execFile)('npm', ['publish', '--dry-run', '--ignore-scripts'], options)
      // The user's own settings may be unknown to this npm, and nobody is logged in at an address where nothing listens.
      expect(
        stderr
          .split('\n')
          .filter(
            (line) => /^npm (?:warn|error)/i.test(line) && !/Unknown (?:user|env) config|requires you to be logged in/.test(line),
          ),
      ).toEqual([])
    }
  })

  it('has workflows whose commands exist', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: Record<string, string> }
    for (const file of ['test', 'release']) {
      const { jobs } = parse(readFileSync(`${root}/.github/workflows/${file}.yml`, 'utf8')) as Workflow
      const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])))
      expect(commands.length).toBeGreaterThan(3)
      const named = commands.flatMap((command) =>
        [...command.matchAll(/\bnpm (?:run )?(test(?::\w+)?|build\S*)/g)].map(([, name]) => name ?? ''),
      )
      expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
    }
  })
})

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>
}

function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of changed) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  return folder
}
