import { useId } from 'react'
import type { TimelineReads } from './timeline-columns.ts'

/** Where a prompt is had from, in the order it is drawn from below. */
export const readKinds: readonly (keyof TimelineReads)[] = ['read', 'write', 'fresh']

const lines: Readonly<Record<keyof TimelineReads, string>> = { read: '', write: 'M-1 7L7 -1', fresh: 'M0 3H6M3 0V6' }

/** The colour and lines of what was read from a cache, written to it or neither, to be filled with: `url(#id)`. */
export function ReadsPattern({ kind, id }: { readonly kind: keyof TimelineReads; readonly id: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" className={`timeline-${kind}`} />
      <path d={lines[kind]} className="timeline-reads-lines" />
    </pattern>
  )
}

/** A small square of it. */
export function ReadsSwatch({ kind }: { readonly kind: keyof TimelineReads }) {
  const id = useId()
  return (
    <svg width="14" height="14" aria-hidden="true">
      <defs>
        <ReadsPattern kind={kind} id={id} />
      </defs>
      <rect width="14" height="14" rx="3" fill={`url(#${id})`} />
    </svg>
  )
}
