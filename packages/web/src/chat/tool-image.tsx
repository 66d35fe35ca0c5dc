import { useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import type { ShownImage } from '../parts/shown-image.ts'
import { useImageAddress } from './use-image-address.ts'
import './tool-image.css'

/** A picture of a conversation, from its bytes or from where they are kept; a click enlarges it. */
export function ToolImage({ session, image }: { readonly session: string; readonly image: ShownImage }) {
  const words = useLanguage().strings.chat.conversation.tool
  const [isLarge, setLarge] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const address = useImageAddress(session, image)
  const name = image.path === null ? words.image : words.imageAt(visibleLine(image.path))
  if (isBroken || address.state === 'failed') return <p className="muted small">{words.imageFailed}</p>
  if (address.state === 'loading') return <p className="muted small">{words.imageLoading}</p>
  return (
    <>
      <button type="button" className="tool-image" aria-label={words.enlarge(name)} onClick={() => setLarge(true)}>
        <img src={address.url} alt={name} onError={() => setBroken(true)} />
      </button>
      {isLarge ? (
        <Dialog
          title={name}
          onClose={() => setLarge(false)}
          actions={
            <button type="button" className="button" onClick={() => setLarge(false)}>
              {words.close}
            </button>
          }
        >
          <img className="tool-image-large" src={address.url} alt={name} />
        </Dialog>
      ) : null}
    </>
  )
}
