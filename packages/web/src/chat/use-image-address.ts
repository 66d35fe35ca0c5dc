import { useEffect, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import type { ShownImage } from '../parts/shown-image.ts'

/** Where a page finds a picture. */
export type ImageAddress =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'there'; readonly url: string }

/** The address of a picture: its own bytes, or those that the session keeps, which are let go of when nobody looks any more. */
export function useImageAddress(session: string, { source, mediaType }: ShownImage): ImageAddress {
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
