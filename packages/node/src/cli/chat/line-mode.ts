import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { CommandIo } from '../command-io.ts'
import { blockLines, type Drawing } from './block-lines.ts'
import { type ChatSetup, openChat } from './chat.ts'

/** Each line of standard input is a turn or a command; what comes of it is printed as plain text. */
export async function lineMode(setup: Omit<ChatSetup, 'isAttended' | 'fill'>, io: CommandIo): Promise<void> {
  const { strings, host } = setup
  const { paint, columns } = setup.screen()
  const drawing: Drawing = { strings, locale: host.context.settings.config.locale, paint, columns }
  const chat = await openChat({ ...setup, isAttended: false, fill: () => undefined })
  const print = () => {
    for (const block of chat.state().blocks) {
      if (block !== null) for (const line of blockLines(block, drawing)) io.stdout.write(`${line}\n`)
    }
    if (chat.state().blocks.at(-1) != null) chat.printed()
  }
  const stop = chat.onChange(print)
  let hasEnded = false
  void chat.ended.then(() => {
    hasEnded = true
  })
  const interrupt = io.interrupted?.()
  interrupt?.addEventListener('abort', chat.quit)
  const lines = createInterface({ input: Readable.from(io.stdin), crlfDelay: Number.POSITIVE_INFINITY })
  try {
    print()
    for await (const line of lines) {
      if (line.trim() !== '') await chat.submit(line)
      await Promise.resolve()
      if (hasEnded) break
    }
  } finally {
    lines.close()
    stop()
    interrupt?.removeEventListener('abort', chat.quit)
    await chat.close()
  }
}
