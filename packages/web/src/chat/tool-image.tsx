import { useEffect, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import type { ShownImage } from '../parts/shown-image.ts'

/** A picture of a conversation, from its bytes or from where they are kept; a click enlarges it. */
export function ToolImage({ session, image }: { readonly session: string; readonly image: ShownImage }) {
  const { conversation } = useLanguage()
  const [isLarge, setLarge] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const address = useImageAddress(session, image)
  const name = image.path === null ? conversation.tool.image : conversation.tool.imageAt(visibleLine(image.path))
  if (isBroken || address.state === 'failed') return <p className="muted small">{conversation.tool.imageFailed}</p>
  if (address.state === 'loading') return <p className="muted small">{conversation.tool.imageLoading}</p>
  return (
    <>
      <button type="button" className="tool-image" aria-label={conversation.tool.enlarge(name)} onClick={() => setLarge(true)}>
        <img src={address.url} alt={name} onError={() => setBroken(true)} />
      </button>
      {isLarge ? (
        <Dialog
          title={name}
          onClose={() => setLarge(false)}
          actions={<Button onClick={() => setLarge(false)} text={conversation.tool.close} />}
        >
          <img className="tool-image-large" src={address.url} alt={name} />
        </Dialog>
      ) : null}
    </>
  )
}

type ImageAddress =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'there'; readonly url: string }

/** The address of a picture: its own bytes, or those that the session keeps, which are let go of when nobody looks any more. */
function useImageAddress(session: string, { source, mediaType }: ShownImage): ImageAddress {
  const { api } = useApp()
  const [kept, setKept] = useState<ImageAddress>({ state: 'loading' })
  const sha256 = 'sha256' in source ? source.sha256 : null
  useEffect(() => {
    if (sha256 === null) return
    const controller = new AbortController()
    let url: string | null = null
    const load = async () => {
      const response = await api.fetch(`/sessions/${encodeURIComponent(session)}/blobs/${sha256}`, { signal: controller.signal })
      const bytes = await response.arrayBuffer()
      if (controller.signal.aborted) return
      url = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
      setKept({ state: 'there', url })
    }
    load().catch(() => {
      if (!controller.signal.aborted) setKept({ state: 'failed' })
    })
    return () => {
      controller.abort()
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [api, session, sha256, mediaType])
  return 'url' in source ? { state: 'there', url: source.url } : kept
}
