import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { chatCommand } from './chat-command.ts'
import { createScriptedHost, type Script } from './testing/scripted-host.ts'

const script: Script = async ({ text, emit, ask, answer }) => {
  emit({ type: 'text_delta', data: { text: `\u001b[31mYou said ${text}${ask === null ? ' unattended' : ''}.` } })
  await answer(text)
  return { kind: 'finished', text }
}

async function talk(input: string, environment: Readonly<Record<string, string>> = {}) {
  const scripted = await createScriptedHost(script, environment)
  let written = ''
  const stdout = { write: (text: string) => void (written += text), isTerminal: false, columns: null }
  const stdin = (async function* () {
    yield Buffer.from(input)
  })()
  await chatCommand(scripted.host, {}, { ...scripted.io, stdout, stdin }, false)
  return written
}

describe('without a terminal', () => {
  it('runs each line as a turn in plain text, without asking for permission', async () => {
    const written = await talk('hello\n\nagain\n')
    expect(written).toMatch(/› hello\nYou said hello unattended\.[^]*› again\nYou said again unattended\./)
    expect(written).not.toContain('\u001b')
  })

  it('runs commands, and prints the choices of those that would ask', async () => {
    const written = await talk('hello\n/cost\n/sessions\n/compact\n/undo\n/mod\n')
    expect(written).toMatch(/Cost[^]*hello[^]*Undone: “hello”[^]*Did you mean \/mode/)
  })

  it('reads a last line without a line break, and stops at /quit', async () => {
    expect(await talk('one\n/quit\ntwo')).not.toContain('two')
    expect(await talk('one')).toContain('You said one')
  })

  it('speaks Chinese', async () => {
    const strings = stringsFor('zh')
    expect(await talk('/help', { LANG: 'zh_CN.UTF-8' })).toContain(strings.chat.commands.compact)
  })
})
