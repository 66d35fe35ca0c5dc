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

  function open(choice: 0 | -1): void {
    if (button.current === null || list.current === null) return
    list.current.showPopover()
    const { clientWidth: width, clientHeight: height } = document.documentElement
    const place = placeFor(button.current.getBoundingClientRect(), list.current.getBoundingClientRect(), { width, height })
    list.current.style.left = `${place.left}px`
    list.current.style.top = `${place.top}px`
    choices().at(choice)?.focus()
  }

  function close(): void {
    list.current?.hidePopover()
    button.current?.focus()
  }

  function move(event: KeyboardEvent): void {
    const all = choices()
    const at = all.findIndex((choice) => choice === document.activeElement)
    const labels = all.map((choice) => choice.textContent ?? '')
    const next = nextChoice(event.key, labels, at)
    if (event.key === 'Tab') return close()
    if (next === null && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (next === null) close()
    else all[next]?.focus()
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
          // The browser itself would open it elsewhere and leave the focus here.
          event.preventDefault()
          if (list.current?.matches(':popover-open') === true) close()
          else open(0)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          event.stopPropagation()
          open(event.key === 'ArrowDown' ? 0 : -1)
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

/** The choice that a key leads to; null if it leads to none. */
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

type Size = { readonly width: number; readonly height: number }

const margin = 8

/** Below the button if there is room, else above; never past the edges of the screen. */
export function placeFor(opener: Size & { readonly left: number; readonly top: number }, size: Size, screen: Size) {
  const below = opener.top + opener.height + 2
  const above = opener.top - size.height - 2
  const isRoomBelow = below + size.height <= screen.height - margin
  const top = isRoomBelow || above < margin ? Math.min(below, screen.height - margin - size.height) : above
  const left = Math.min(opener.left, screen.width - margin - size.width)
  return { left: Math.max(margin, left), top: Math.max(margin, top) }
}
