import type { FileSuggestion } from '@plimsoll/core'
import { useEffect, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'

/** Files that may be meant, and by what they were looked for; null before anything was found. */
export interface FoundFiles {
  readonly search: string
  readonly files: readonly FileSuggestion[]
}

/** More than this nobody reads; who wants another one types on. */
const mostShown = 50

/** Looks for files of the workspace while their name is typed. What was found stays until the next is there. */
export function useFiles(search: string | null): FoundFiles | null {
  const { api } = useApp()
  const [found, setFound] = useState<FoundFiles | null>(null)
  useEffect(() => {
    if (search === null) {
      setFound(null)
      return undefined
    }
    const controller = new AbortController()
    const ask = async () => {
      try {
        const files = await api.files(search, controller.signal)
        if (!controller.signal.aborted) setFound({ search, files: files.slice(0, mostShown) })
      } catch {
        // Without suggestions a name can still be typed.
      }
    }
    const timer = setTimeout(() => void ask(), 60)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, search])
  return search === null ? null : found
}
