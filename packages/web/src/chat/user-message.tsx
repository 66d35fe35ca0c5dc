import { EllipsisVertical, GitFork, Undo2 } from 'lucide-react'
import { useLanguage } from '../parts/language.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Menu } from '../parts/menu.tsx'
import { visibleText } from '../parts/safe-text.ts'
import type { UserBlock } from './blocks.ts'
import { useChat } from './chat-context.tsx'
import { ToolImage } from './tool-image.tsx'

/** Longer texts are shown in a frame of their own, folded. */
const longest = 4000

/** What the user said, with what can be done from there. */
export function UserMessage({ block: { id, text, images } }: { readonly block: UserBlock }) {
  const words = useLanguage().strings.chat.conversation
  const { session, isBusy, rewind, fork } = useChat()
  return (
    <div className="user-message">
      <div className="user-message-text">
        <span className="visually-hidden">{words.you}</span>
        {text.length > longest ? <LongText text={text} most={longest} /> : <p>{visibleText(text)}</p>}
        {images.map((image, index) => (
          <ToolImage key={index} session={session} image={image} />
        ))}
      </div>
      {id === null ? null : (
        <Menu
          label={words.message.menu}
          className="button button-quiet user-message-menu"
          items={[
            {
              key: 'rewind',
              label: words.message.rewind,
              about: words.message.rewindAbout,
              icon: <Undo2 size={15} aria-hidden />,
              isDisabled: isBusy,
              onChoose: () => rewind(id),
            },
            {
              key: 'fork',
              label: words.message.fork,
              about: words.message.forkAbout,
              icon: <GitFork size={15} aria-hidden />,
              onChoose: () => fork(id),
            },
          ]}
        >
          <EllipsisVertical size={16} aria-hidden />
        </Menu>
      )}
    </div>
  )
}
