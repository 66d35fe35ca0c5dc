import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import './menu.css'

export interface MenuItem {
  readonly key: string
  readonly label: string
  readonly about?: string
  readonly icon: LucideIcon
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
  readonly onChoose: () => void
}

interface MenuProps {
  /** The name of the button, said aloud; shown too where `children` has no words. */
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly children: ReactNode
  readonly className?: string
  readonly tabIndex?: number
}

/** A button that opens a list of things to do. Arrows, Home, End and first letters move in it; Esc and Tab close it. */
export function Menu({ label, items, children, className = 'button button-quiet', tabIndex }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const choices = () => [...(list.current?.querySelectorAll<HTMLButtonElement>('[role="menuitem"]:not(:disabled)') ?? [])]

  function open(which: 'first' | 'last'): void {
    if (button.current === null || list.current === null) return
    list.current.showPopover()
    placeBeside(list.current, button.current)
    choices()
      .at(which === 'first' ? 0 : -1)
      ?.focus()
  }

  function close(): void {
    list.current?.hidePopover()
    button.current?.focus()
  }

  function move(event: KeyboardEvent): void {
    const all = choices()
    const at = all.findIndex((choice) => choice === document.activeElement)
    const next = nextChoice(
      event.key,
      all.map((choice) => choice.textContent ?? ''),
      at,
    )
    if (next !== null) {
      event.preventDefault()
      event.stopPropagation()
      all[next]?.focus()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (event.key === 'Tab') close()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-controls={id}
        popoverTarget={id}
        {...(tabIndex === undefined ? {} : { tabIndex })}
        onClick={(event) => {
          // The browser itself would open it at a place of its own and leave the keyboard behind.
          event.preventDefault()
          if (list.current?.matches(':popover-open') === true) close()
          else open('first')
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          event.stopPropagation()
          open(event.key === 'ArrowDown' ? 'first' : 'last')
        }}
      >
        {children}
      </button>
      <div ref={list} id={id} role="menu" aria-label={label} className="menu" popover="auto" onKeyDown={move}>
        {items.map(({ key, label: name, about, icon: Icon, isDanger = false, isDisabled = false, onChoose }) => (
          <button
            key={key}
            type="button"
            role="menuitem"
            tabIndex={-1}
            disabled={isDisabled}
            className={isDanger ? 'menu-item menu-item-danger' : 'menu-item'}
            onClick={() => {
              close()
              onChoose()
            }}
          >
            <Icon size={15} aria-hidden />
            <span className="menu-words">
              {name}
              {about === undefined ? null : <span className="muted small">{about}</span>}
            </span>
          </button>
        ))}
      </div>
    </>
  )
}

/** Which choice a key leads to; null where it leads to none. */
export function nextChoice(key: string, labels: readonly string[], at: number): number | null {
  const count = labels.length
  if (count === 0) return null
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (Math.max(at, 0) - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key.length !== 1 || key === ' ') return null
  const begins = (index: number) => labels[index % count]?.trim().toLowerCase().startsWith(key.toLowerCase()) === true
  for (let step = 1; step <= count; step += 1) if (begins(at + step)) return (at + step) % count
  return null
}

type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

function placeBeside(opened: HTMLElement, opener: HTMLElement): void {
  const { left, top } = placeFor(opener.getBoundingClientRect(), opened.getBoundingClientRect(), {
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
  })
  opened.style.left = `${left}px`
  opened.style.top = `${top}px`
}

const margin = 8

/** Below what opened it where there is room, else above; never past the edges of the screen. */
export function placeFor(
  opener: Box,
  size: Pick<Box, 'width' | 'height'>,
  screen: Pick<Box, 'width' | 'height'>,
): Pick<Box, 'left' | 'top'> {
  const below = opener.top + opener.height + 2
  const above = opener.top - size.height - 2
  const isRoomBelow = below + size.height <= screen.height - margin
  const top = isRoomBelow || above < margin ? Math.min(below, screen.height - margin - size.height) : above
  const left = Math.min(opener.left, screen.width - margin - size.width)
  return { left: Math.max(margin, left), top: Math.max(margin, top) }
}
