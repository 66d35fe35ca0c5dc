import { Box, type Instance, render, Static, Text, useCursor, useInput, usePaste, useWindowSize } from 'ink'
import { useEffect, useReducer, useRef } from 'react'
import { blockLines, type Drawing } from './block-lines.ts'
import type { Chat } from './chat.ts'
import type { Block } from './chat-state.ts'
import { drawFrame } from './frame.ts'
import { editorWith, expandPastes } from './line-editor.ts'
import type { Status } from './live-lines.ts'
import { emptyInput, type InputState, type Intent, type KeyPress, pressKey } from './press-key.ts'
import { readKeys } from './read-key.ts'
import { type Completion, isSlashCommand } from './slash-commands.ts'

export interface ChatAppProps {
  readonly chat: Chat
  readonly drawing: (columns: number) => Drawing
  readonly complete: (text: string, cursor: number) => Completion | null
  readonly status: () => Status
  /** Hands over the functions that put text into the prompt and draw it again. */
  readonly bind: (handles: { readonly fill: (text: string) => void; readonly redraw: () => void }) => void
  readonly now: () => number
}

/** Keys meant for the prompt do not answer a question that appears during typing. */
const settleTime = 500

/** The whole interface: finished blocks above, current work and the prompt below. */
export function ChatApp({ chat, drawing, complete, status, bind, now }: ChatAppProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const { columns, rows } = useWindowSize()
  const prompt = useRef<InputState>(emptyInput)
  const pressedAt = useRef(0)
  const asked = useRef<{ readonly dialog: unknown; readonly at: number; readonly isSudden: boolean } | null>(null)
  const { setCursorPosition } = useCursor()

  useEffect(() => chat.onChange(redraw), [chat])
  useEffect(() => {
    bind({
      redraw,
      fill(text) {
        // Keeps the text that is being typed.
        const typed = expandPastes(prompt.current.editor)
        prompt.current = { ...emptyInput, editor: editorWith(typed === '' || isSlashCommand(text) ? text : `${text}\n${typed}`) }
        redraw()
      },
    })
  }, [bind])

  const state = chat.state()
  const isBusy = state.busySince !== null
  useEffect(() => {
    if (!isBusy) return
    // Shows the time that passes, and that something still moves.
    const timer = setInterval(redraw, 200)
    return () => clearInterval(timer)
  }, [isBusy])
  useEffect(() => {
    if (state.blocks.at(-1) != null) chat.printed()
  })

  if (state.dialog !== asked.current?.dialog) {
    const at = now()
    asked.current = { dialog: state.dialog, at, isSudden: at - pressedAt.current < settleTime }
    prompt.current = { ...prompt.current, selected: 0, reason: null }
  }

  const situation = () => {
    const { editor, isClosed } = prompt.current
    const { dialog, busySince } = chat.state()
    return {
      isBusy: busySince !== null,
      dialog,
      completion: isClosed || dialog !== null ? null : complete(editor.text, editor.cursor),
      history: chat.history,
      pasted: drawing(columns).strings.chat.pasted,
    }
  }

  const press = (key: KeyPress) => {
    const at = now()
    const question = asked.current
    const isMeantForPrompt =
      state.dialog !== null && question?.isSudden === true && at - question.at < settleTime && key.name === 'text'
    pressedAt.current = at
    if (isMeantForPrompt) return
    const { input, intent } = pressKey(prompt.current, key, situation())
    prompt.current = input
    if (intent !== null) follow(intent, chat)
    redraw()
  }
  useInput((input, key) => {
    for (const pressed of readKeys(input, key)) press(pressed)
  })
  usePaste((text) => press({ name: 'paste', text }))

  const drawn = drawing(columns)
  const { completion } = situation()
  const frame = drawFrame({ state, input: prompt.current, completion, status: status(), rows }, drawn)
  setCursorPosition(frame.cursor ?? undefined)
  return (
    <>
      <Static items={[...state.blocks]}>
        {(block: Block | null, index) =>
          block === null ? null : (
            <Text key={index}>
              {blockLines(block, drawn)
                .map((line) => line || ' ')
                .join('\n')}
            </Text>
          )
        }
      </Static>
      <Box flexDirection="column">
        {frame.lines.map((line, index) => (
          // A line has no other key than its place.
          <Text key={index} wrap="truncate">
            {line}
          </Text>
        ))}
      </Box>
    </>
  )
}

function follow(intent: Intent, chat: Chat): void {
  if (intent.kind === 'submit' || intent.kind === 'queue') void chat.submit(intent.text, intent.kind === 'queue')
  else if (intent.kind === 'answer') chat.answer(intent.answer)
  else if (intent.kind === 'rewind') void chat.rewind()
  else chat[intent.kind]()
}

/** Draws the interface on the terminal of this process until it is unmounted. */
export function mountChat(props: ChatAppProps): Instance {
  return render(<ChatApp {...props} />, {
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    interactive: true,
    // Terminals that can tell Shift+Enter from Enter are asked to.
    kittyKeyboard: { mode: 'auto' },
  })
}
