import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringsFor } from '../strings/strings-for.ts'
import { createFolder } from './testing/run-captured.ts'

const { command, problem, session } = stringsFor('en')

const binary = fileURLToPath(new URL('../../bin/plimsoll.js', import.meta.url))
const example = fileURLToPath(new URL('../../example/conversation.json', import.meta.url))
const isBuilt = existsSync(new URL('../../dist/cli/main.js', import.meta.url))

function start(command: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE: process.execPath,
      PLIMSOLL: binary,
      EXAMPLE: example,
      HOME: '/nonexistent',
      XDG_CONFIG_HOME: '/nonexistent',
      LANG: 'C',
      PLIMSOLL_LOG: 'silent',
    },
  })
  return { status, stdout, stderr }
}

describe.runIf(isBuilt)('the binary', () => {
  it('views the bundled example', () => {
    const { status, stdout, stderr } = start('"$NODE" "$PLIMSOLL" view')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/[\d,]+ → [\d,]+ tokens/)
  })

  it('fails with exit code 1 and nothing on standard output, also on standard input', () => {
    expect(start('echo "[{" | "$NODE" "$PLIMSOLL" view -')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('standard input, line 2, column 1: invalid JSON'),
    })
  })

  it('reports a folder as standard input', () => {
    expect(start('"$NODE" "$PLIMSOLL" view - < /')).toEqual({
      status: 1,
      stdout: '',
      stderr: `error: ${problem.isFolder('standard input')}\n`,
    })
  })

  it('reports that the current folder was removed', () => {
    const gone = createFolder()
    onTestFinished(gone.remove)
    expect(start(`cd "${gone.path}" && rmdir "${gone.path}" && "$NODE" "$PLIMSOLL" view`)).toEqual({
      status: 1,
      stdout: '',
      stderr: `error: ${command.folderGone}\n`,
    })
  })

  it('writes long output to a pipe in full', () => {
    const { stdout } = start('"$NODE" "$PLIMSOLL" view --json --policies pair-tool-calls | tail -c 60')
    expect(stdout).toMatch(/"inputLimit":null\},"strings":"english"\}\n$/)
  })

  it('exits quietly when the reader closes the pipe', () => {
    expect(start('set -o pipefail; "$NODE" "$PLIMSOLL" view "$EXAMPLE" --json --policies pair-tool-calls | head -c 1')).toEqual({
      status: 0,
      stdout: '{',
      stderr: '',
    })
  })

  it('imports, shows, recalls and exports a session', () => {
    const folder = createFolder()
    onTestFinished(folder.remove)
    const { status, stdout, stderr } = start(
      `set -e; export XDG_STATE_HOME="${folder.path}"; cd "${folder.path}"; plimsoll() { "$NODE" "$PLIMSOLL" "$@"; }
      plimsoll import "$EXAMPLE" > imported; plimsoll show last 16 > message; plimsoll recall --id m16 | cmp - message
      plimsoll export last --format log --out copy.jsonl > /dev/null; plimsoll import copy.jsonl --json; stat -c %a copy.jsonl`,
    )
    // On a busy machine it also prints progress there.
    expect(status, stderr).toBe(0)
    expect(stdout).toMatch(/^\{"format":"plimsoll",.*"messages":58,.*\}\n600\n$/)
  })

  it.runIf(existsSync('/dev/full'))('reports that the output could not be written', () => {
    const why = `error: ${command.notPrinted(session.reason('ENOSPC'))}`
    expect(start('"$NODE" "$PLIMSOLL" view > /dev/full')).toMatchObject({ status: 1, stderr: expect.stringContaining(why) })
  })
})

describe('the binary on an unsupported Node', () => {
  it.each([
    [
      '20.11.0',
      'plimsoll needs Node 22.19 or newer, and this is Node 20.11.0: install a newer one (https://nodejs.org) and try again.\n',
    ],
    [
      '22.18.9',
      'plimsoll needs Node 22.19 or newer, and this is Node 22.18.9: install a newer one (https://nodejs.org) and try again.\n',
    ],
  ])('%s prints the required version and the current one', (version, sentence) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
    const { status, stdout, stderr } = start(
      `"$NODE" --import 'data:text/javascript,${encodeURIComponent(pretend).replaceAll("'", '%27')}' "$PLIMSOLL" view`,
    )
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: sentence })
  })
})
