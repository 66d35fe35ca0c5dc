import { setTimeout as wait } from 'node:timers/promises'
import { render } from 'ink-testing-library'
import { createElement } from 'react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import type { Screen } from '../terminal/screen.ts'
import { openChat } from './chat.ts'
import { ChatApp } from './chat-app.tsx'
import { createScriptedHost, type Script } from './testing/scripted-host.ts'

const strings = stringsFor('en')

async function show(script: Script) {
  const { host, io, later } = await createScriptedHost(script)
  const screen: Screen = { strings: strings.view, paint: (_tint, text) => text, columns: 100, endless: false }
  let fill = (_text: string): void => undefined
  const chat = await openChat({
    host,
    session: null,
    strings,
    screen: () => screen,
    isAttended: true,
    fill: (text) => fill(text),
    now: io.now,
  })
  const app = render(
    createElement(ChatApp, {
      chat,
      drawing: (columns: number) => ({ strings, locale: 'en', paint: screen.paint, columns }),
      complete: () => null,
      status: () => ({
        model: 'm',
        isOffline: true,
        hasCache: true,
        mode: chat.agent().mode(),
        root: '~',
        meter: chat.state().meter,
        now: io.now(),
      }),
      bind: (handles: { readonly fill: (text: string) => void }) => {
        fill = handles.fill
      },
      now: io.now,
    }),
  )
  onTestFinished(app.unmount)
  const shows = async (text: string) => {
    const deadline = Date.now() + 120_000
    while (!(app.lastFrame() ?? '').includes(text)) {
      if (Date.now() > deadline) throw new Error(`${text} was not seen in\n${app.lastFrame()}`)
      await wait(5)
    }
  }
  return { chat, app, shows, later }
}

const slow: Script = async ({ emit, ask, signal, answer }) => {
  emit({ type: 'text_delta', data: { text: 'First words' } })
  emit({ type: 'tool_call_start', data: { callId: '1', tool: 'Edit', input: {}, about: 'a.ts', access: 'write' } })
  const given = await ask?.(
    { callId: '1', tool: 'Edit', access: 'write', about: 'a.ts', preview: '-a\n+b', scope: 'tool' },
    signal,
  )
  await answer(`answered ${given?.kind}`)
  emit({
    type: 'tool_call_end',
    data: {
      callId: '1',
      tool: 'Edit',
      result: { content: { type: 'text', text: `answered ${given?.kind}\n[exit code 0]` }, metadata: { exitCode: 0 } },
      isError: false,
      durationMs: 1,
    },
  })
  return { kind: 'finished', text: '' }
}

describe('the interface', () => {
  it('shows the prompt, typed text, a question, and the result of the answer', async () => {
    const { app, shows, later } = await show(slow)
    await shows(strings.chat.placeholder)
    await wait(20)
    app.stdin.write('change it')
    await shows('› change it')
    app.stdin.write('\r')
    await shows('Edit wants to change a file:')
    expect(app.lastFrame()).toMatch(
      /First words[^]*○ Edit a\.ts[^]*Edit wants to change a file:\n {2}a\.ts\n {2}-a\n {2}\+b\n\[y\] yes/,
    )
    // Typed at the same moment, so it was meant for the prompt.
    app.stdin.write('y')
    later(1000)
    app.stdin.write('y')
    await shows('└ exit code 0 · answered once')
    await shows('1 request')
    expect(app.lastFrame()).toContain(strings.chat.placeholder)
  })

  it('keeps no printed blocks in memory', async () => {
    const { app, chat, shows } = await show(async ({ emit, answer }) => {
      for (let line = 0; line < 50; line += 1) emit({ type: 'text_delta', data: { text: `line ${line}\n\n` } })
      await answer('x')
      return { kind: 'finished', text: '' }
    })
    await shows(strings.chat.placeholder)
    await wait(20)
    app.stdin.write('go\r')
    await shows('1 request')
    expect(chat.state().blocks.every((block) => block === null)).toBe(true)
    expect(chat.state().blocks.length).toBeGreaterThan(50)
    expect((app.lastFrame() ?? '').split('line 7\n').length).toBe(2)
  })

  it('keeps text typed during a turn when the turn is stopped', async () => {
    const { app, shows } = await show(async ({ signal }) => {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { kind: 'cancelled' }
    })
    await shows(strings.chat.placeholder)
    await wait(20)
    app.stdin.write('go\r')
    await shows('waiting for the model')
    app.stdin.write('queued\r')
    await shows(`${strings.chat.waiting} queued`)
    app.stdin.write('half a')
    await shows('› half a')
    app.stdin.write('\u0003')
    await shows('› queued\n  half a')
  })
})
