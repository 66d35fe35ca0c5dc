import { useEffect, useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import type { ShownImage } from '../../parts/shown-image.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { useLoaded } from '../../parts/use-loaded.ts'
import type { InspectorSource } from '../source/inspector-source.ts'

/** What a picture is given. */
export interface StoredPictureProps {
  readonly image: ShownImage
  /** The number of its message. */
  readonly number: number
  readonly source: InspectorSource
}

/** A picture of a message, from the message itself or from where its bytes are kept. Nothing is loaded from elsewhere. */
export function StoredPicture({ image, number, source }: StoredPictureProps) {
  const { strings, number: format } = useLanguage()
  const words = strings.inspector.detail
  const [isBroken, setBroken] = useState(false)
  const key = 'url' in image.source ? image.source.url : image.source.sha256
  const [loaded, again] = useLoaded(
    (signal) =>
      'url' in image.source ? Promise.resolve(image.source.url) : source.blob(image.source.sha256, image.mediaType, signal),
    [key, source],
  )
  const url = loaded.state === 'there' ? loaded.value : null
  useEffect(() => {
    if (url?.startsWith('blob:') !== true) return
    return () => URL.revokeObjectURL(url)
  }, [url])
  if (loaded.state === 'failed') return <Trouble error={loaded.error} onRetry={again} />
  if (url === null) return <p className="muted">{words.loading}</p>
  if (isBroken || !/^(?:blob:|data:image\/)/.test(url)) return <p className="muted">{words.noPicture}</p>
  return <img className="message-picture" src={url} alt={words.picture(format(number))} onError={() => setBroken(true)} />
}
