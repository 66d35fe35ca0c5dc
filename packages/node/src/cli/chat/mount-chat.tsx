import { type Instance, render } from 'ink'
import { ChatApp, type ChatAppProps } from './chat-app.tsx'

/** Draws the interface on the terminal of this process, until it is unmounted. */
export function mountChat(props: ChatAppProps): Instance {
  return render(<ChatApp {...props} />, {
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    interactive: true,
    // Where a terminal can tell Shift+Enter from Enter, it is asked to.
    kittyKeyboard: { mode: 'auto' },
  })
}
