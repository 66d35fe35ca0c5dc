import { describe, expect, it } from 'vitest'
import { stringsFor } from '../strings/strings-for.ts'
import { runCaptured } from './testing/run-captured.ts'

const help = async (args: readonly string[], language: string) =>
  (await runCaptured([...args, '--help'], { environment: { LANG: language } })).stdout

/** All commands and subcommands, as the help itself names them. */
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^ {2}([a-z]+) {1,}(?:\[options\]|<|\[| )/gm)].map(([, name]) => name as string)
const all = async (): Promise<readonly (readonly string[])[]> => {
  const top = commandsIn(await help([], 'en'))
  const inner = await Promise.all(
    top.map(async (name) => {
      const text = await help([name], 'en')
      return text.includes('Commands:') ? commandsIn(text.slice(text.indexOf('Commands:'))).map((sub) => [name, sub]) : []
    }),
  )
  return [...top.map((name) => [name]), ...inner.flat()]
}

describe('the help', () => {
  it('puts the commands under five headings, in both languages', async () => {
    const headings = (text: string) => [...text.matchAll(/^(\S.*[:：])$/gm)].map(([, heading]) => heading)
    for (const [language, options] of [
      ['en', 'Options:'],
      ['zh_CN', '选项：'],
    ] as const) {
      const { helpGroups, examples } = stringsFor(language).command
      expect(headings(await help([], language))).toEqual([options, ...Object.values(helpGroups), examples])
      expect((await help([], language)).replaceAll(/\s/g, '')).toContain('plimsollcompletion--help')
    }
  })

  it('describes every command in both languages, with an example and a text for each option and argument', async () => {
    const commands = await all()
    expect(commands.length).toBeGreaterThan(28)
    const faults: string[] = []
    for (const command of commands) {
      const [english, chinese] = [await help(command, 'en'), await help(command, 'zh_CN')]
      const name = command.join(' ')
      if (name !== 'help' && !english.includes('Examples:\n  ')) faults.push(`${name}: no example`)
      if (!/\p{Script=Han}/u.test(chinese)) faults.push(`${name}: not in Chinese`)
      for (const text of [english, chinese]) {
        const bare = [...text.matchAll(/^ {2}(-[\w-]+(?:, --[\w-]+)?(?: <[^>]+>)?|<?\[?[A-Z|]+\]?>?)$/gm)].map(
          ([, line]) => line as string,
        )
        // An entry too long for its column has its text on the next line.
        for (const line of bare) if (!text.includes(`${line}\n   `)) faults.push(`${name}: ${line} has no words`)
      }
    }
    expect(faults).toEqual([])
  })
})
