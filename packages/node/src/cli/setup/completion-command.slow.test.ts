import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createStateHome, type StateHome } from '../testing/state-home.ts'

const script = async (shell: string, home: StateHome) => (await home.run(['completion', shell])).stdout

describe('plimsoll completion bash, in a real bash', () => {
  /** The completions of each command line; its last word is being typed. */
  const offered = async (lines: readonly (readonly string[])[], answer = '[]') => {
    const home = createStateHome()
    const command = home.write('plimsoll', `#!/bin/sh\necho '${answer}'\n`)
    chmodSync(command, 0o755)
    home.write('notes.txt', '')
    const asks = lines.map(
      (args) =>
        `COMP_WORDS=(plimsoll ${args.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${args.length}; _plimsoll; echo "\${COMPREPLY[*]}"`,
    )
    const text = `${await script('bash', home)}\n${asks.join('\n')}\n`
    const folder = join(home.path, 'files')
    const output = execFileSync('bash', ['--noprofile', '--norc', '-c', text], {
      encoding: 'utf8',
      cwd: folder,
      env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    })
    return output.split('\n').slice(0, -1)
  }

  it('offers commands, subcommands, options and their values', async () => {
    expect(
      await offered([
        ['rep'],
        ['sessions', 're'],
        ['repair', '--k'],
        ['export', 'last', '--format', 'open'],
        ['chat', '--mode', 'a'],
        ['view', '--policies', 'trim-r'],
        ['env', 'c'],
        ['completion', ''],
        ['help', 'rep'],
        ['gateway', '--trim', 's'],
      ]),
    ).toEqual([
      'replay repair',
      'rewind restore',
      '--keep-images',
      'openai-chat openai-responses',
      'ask accept-edits auto',
      'trim-repeated-reads',
      'claude codex copilot',
      'bash zsh fish',
      'replay repair',
      'safe spec',
    ])
  })

  it('offers files, and session ids from plimsoll itself', async () => {
    const answer = '[{"id":"20261115-054440-k3f9x2","title":"x"},{"id":"20261116-054440-aaaaaa","title":"y"}]'
    expect(
      await offered(
        [
          ['view', 'no'],
          ['show', ''],
          ['export', '20261116'],
          ['chat', '--resume', 'la'],
          ['resume', 'la'],
          ['show', 'last', '--ne'],
          ['inspect', 'n'],
        ],
        answer,
      ),
    ).toEqual([
      'notes.txt',
      'last 20261115-054440-k3f9x2 20261116-054440-aaaaaa',
      '20261116-054440-aaaaaa',
      'last',
      'last',
      '--next',
      'notes.txt',
    ])
  })
})

describe('plimsoll completion for other shells', () => {
  it.each(['zsh', 'fish'])('%s: knows every command and option, and balances its brackets', async (shell) => {
    const home = createStateHome()
    const text = await script(shell, home)
    const { stdout: help } = await home.run(['--help'])
    const commands = [...(help.split('Examples:')[0] ?? '').matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)
    expect(commands.length).toBeGreaterThan(20)
    for (const name of commands) expect(text).toMatch(shell === 'zsh' ? `'${name}:` : ` -a ${name} -d `)
    for (const option of ['show-origin', 'keep-images', 'policies']) expect(text).toContain(option)
    const plain = text.replaceAll(shell === 'zsh' ? /'(?:[^']|'\\'')*'/g : /'(?:[^'\\]|\\.)*'/g, '')
    for (const [open, close] of ['{}', '[]']) expect(plain.split(open as string).length).toBe(plain.split(close as string).length)
    const names = [...text.matchAll(/^(?:function )?(_\w+)(?:\(\) \{)?$/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('refuses an unknown shell', async () => {
    expect(await createStateHome().run(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: 'error: SHELL: expected one of bash, zsh, fish, got "tcsh"\n',
    })
  })
})
