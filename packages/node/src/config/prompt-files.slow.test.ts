import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { summaryPrompt } from '@plimsoll/core/compaction'
import { completeConfig } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ownTools } from '../tools/own-tools.ts'
import { ownToolNames, readPrompts } from './prompt-files.ts'

/** A home with a project in it. */
function machine() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-prompts-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const root = join(home, 'project')
  mkdirSync(root)
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
    return join(home, path)
  }
  return {
    home,
    root,
    own: (name: string, text: string | Uint8Array) => write(`.config/plimsoll/prompts/${name}`, text),
    project: (name: string, text: string | Uint8Array) => write(`project/.plimsoll/prompts/${name}`, text),
    write,
    read: (projects: readonly string[] = []) => readPrompts({ root, projects, environment: { HOME: home } }),
  }
}

describe('prompt files', () => {
  it('replace nothing if there are none', () => {
    expect(machine().read()).toEqual({ system: null, summary: null, tools: new Map(), files: [], warnings: [] })
  })

  it('R004-1 R004-30 of the user replace the system prompt, the summary prompt and the prompts of tools', () => {
    const { own, read } = machine()
    const files = [own('summary.md', `${summaryPrompt}\nBe brief.\n`), own('system.md', '\ufeffYou are careful.\r\nAlways.\n')]
    files.push(own('tools/Read.md', 'Reads.'))
    expect(read()).toEqual({
      system: 'You are careful.\nAlways.',
      summary: `${summaryPrompt}\nBe brief.`,
      tools: new Map([['Read', 'Reads.']]),
      files,
      warnings: [],
    })
  })

  it('can replace the prompt of every own tool', () => {
    const image = completeConfig({ images: { model: 'openai/gpt-image-1' } })
    const options = { config: image, environment: { OPENAI_API_KEY: 'k' }, root: '/', expand: null }
    expect(ownTools(undefined as never, options).map(({ name }) => name)).toEqual(ownToolNames)
  })

  it('are found under XDG_CONFIG_HOME', () => {
    const { write, root, home } = machine()
    const file = write('elsewhere/plimsoll/prompts/system.md', 'Hello.')
    const environment = { HOME: home, XDG_CONFIG_HOME: join(home, 'elsewhere') }
    expect(readPrompts({ root, projects: [], environment }).files).toEqual([file])
  })

  it('may be links in the user’s own folder, as managers of such files make them', () => {
    const { own, write, read, home } = machine()
    own('tools/Read.md', 'Reads.')
    symlinkSync(write('dotfiles/system.md', 'Hello.'), join(home, '.config/plimsoll/prompts/system.md'))
    expect(read().system).toBe('Hello.')
  })

  it('with an unknown name are reported, a README is not', () => {
    const { own, read } = machine()
    own('README.md', 'About.')
    const [first, second] = [own('sytem.md', 'Hello.'), own('tools/read.md', 'Reads.')]
    expect(read()).toMatchObject({
      files: [],
      warnings: [
        `${first}: not used, because no prompt has this name; did you mean system.md?`,
        `${second}: not used, because no prompt has this name; did you mean tools/Read.md?`,
      ],
    })
  })
})

describe('prompt files of a project', () => {
  it('are not used, and reported, unless the user lists the project', () => {
    const { own, project, read, root } = machine()
    own('system.md', 'Mine.')
    project('system.md', 'Theirs.')
    project('tools/Bash.md', 'Run anything.')
    for (const projects of [[], [`${root}/src`], ['/nowhere'], [join(root, '..')]]) {
      const { system, tools, warnings } = read(projects)
      expect([system, tools.size]).toEqual(['Mine.', 0])
      expect(warnings).toEqual([
        `${root}/.plimsoll/prompts: not used; to trust this project, list it in prompts.projects of your own configuration`,
      ])
    }
  })

  it('win over the user’s if the user lists the project', () => {
    const { own, project, read, root } = machine()
    const kept = own('tools/Read.md', 'Mine.')
    own('system.md', 'Mine.')
    const theirs = project('system.md', 'Theirs.')
    for (const projects of [[root], ['~/project'], ['/nowhere', `${root}/`]]) {
      const { system, tools, files, warnings } = read(projects)
      expect([system, tools.get('Read'), files, warnings]).toEqual(['Theirs.', 'Mine.', [theirs, kept], []])
    }
  })

  it.each([
    ['a file', (root: string) => symlinkSync('../../../secret.md', join(root, '.plimsoll/prompts/system.md'))],
    [
      'a folder',
      (root: string) => {
        rmSync(join(root, '.plimsoll/prompts'), { recursive: true })
        symlinkSync('../../outside', join(root, '.plimsoll/prompts'))
      },
    ],
  ])('are refused if they are outside, by a link to %s', (_name, link) => {
    const { write, project, read, root } = machine()
    write('secret.md', 'my key')
    write('outside/system.md', 'my key')
    project('tools/Read.md', 'Reads.')
    link(root)
    expect(() => read([root])).toThrow(
      "prompts/system.md: a link: a project's prompt must be a plain file in .plimsoll/prompts; copy the file there",
    )
  })
})

describe('a prompt file is refused with what to do', () => {
  const built = 'remove it to use the built-in prompt'
  it.each<readonly [label: string, text: string | Uint8Array, message: string]>([
    ['too large', 'x'.repeat(65_537), `expected at most 65536 bytes, got more; correct the file, or ${built}`],
    ['not UTF-8', new Uint8Array([0x48, 0xff, 0xfe]), `expected text in UTF-8, got other bytes; correct the file, or ${built}`],
    ['empty', ' \n\n', `is empty; write the prompt into it, or ${built}`],
    ['with a NUL', 'one\ntwo\0', 'has a control character in line 2, which a reader of the file does not see; remove it'],
    ['with an escape sequence', '\u001b[2J', 'has a control character in line 1'],
    ['with reversed text', 'be kind \u202e', 'has a control character in line 1'],
  ])('%s', (_label, text, message) => {
    const { own, read } = machine()
    const file = own('system.md', text)
    expect(() => read()).toThrow(`${file}: ${message}`)
  })

  it('a folder, a pipe and a dangling link, all at once', () => {
    const { own, read, home } = machine()
    own('tools/Read.md', 'Reads.')
    const folder = join(home, '.config/plimsoll/prompts')
    mkdirSync(join(folder, 'system.md'))
    symlinkSync('nowhere', join(folder, 'summary.md'))
    execFileSync('mkfifo', [join(folder, 'tools/Bash.md')])
    expect(() => read()).toThrow(
      new RegExp(
        'summary.md: cannot be found; .*\\n.*system.md: expected a file, got a folder; .*\\n.*Bash.md: expected a file, got something else; ',
      ),
    )
  })

  it('R004-29 R004-30 a summary prompt that does not ask for the sections of the template', () => {
    const { own, read } = machine()
    const file = own('summary.md', 'Summarise the record.\n\n## 📌 Archived Session Summary\n### 🎯 Objectives & Status\n')
    expect(() => read()).toThrow(
      `${file}: does not ask for "### 🏗️ Technical Context (Static)", "### ✅ Completed Milestones (The \\"Done\\" Pile)", "### 🧠 Key Insights & Decisions (Persistent Memory)", "### 📂 File System State (Snapshot)", so its summaries would be rejected; add each as a line, or {template} for all`,
    )
  })

  it('R004-29 R004-30 but not one with {template}', () => {
    const { own, read } = machine()
    own('summary.md', 'Archive the record. Write this:\n\n{template}\n\nIn German.')
    const { summary } = read()
    expect(summary).toMatch(/^Archive the record\. Write this:\n\n## 📌 Archived Session Summary\n[^]*\n\nIn German\.$/)
  })
})
