// Menus and popovers that are loaded when they are first used: their button is there at once, and asks for the rest as soon as a pointer or
// the focus is on it. Menu and Popover weigh as much as all of a list besides.

import { type ComponentType, cloneElement, type ReactElement, type Ref, useEffect, useRef, useState } from 'react'

/** What the loaded part gets: it wraps `target` in the target of its menu or popover. */
export interface OpeningProps {
  target: ReactElement
  isOpen: boolean
  onOpen(isOpen: boolean): void
}

interface OpensLaterProps {
  target: ReactElement<TargetProps>
  /** Set if the owner decides whether it is open. Otherwise a click on the target opens it. */
  isOpen?: boolean
  onOpen?(isOpen: boolean): void
  /** For a target that opens it by itself. */
  isOwnClick?: boolean
}

interface TargetProps {
  ref?: Ref<HTMLElement>
  onClick?(): void
  onPointerEnter?(): void
  onFocus?(): void
  'aria-haspopup'?: 'menu' | 'dialog'
}

// Longer than a closing menu takes to fade, unless the browser is busy.
const closingMs = 250

/** Focuses the button, or the first one in a group, where nothing is in focus. */
function focusUnlessElsewhere(target: HTMLElement | null): void {
  if (document.activeElement !== document.body) return
  const focusable = target?.matches('button') ? target : target?.querySelector('button')
  focusable?.focus({ preventScroll: true })
}

export function opensLater<Props extends object>(load: () => Promise<{ default: ComponentType<Props & OpeningProps> }>) {
  return function OpensLater({
    target,
    isOpen: given,
    onOpen,
    isOwnClick = false,
    ...props
  }: OpensLaterProps & Omit<Props, keyof OpeningProps>) {
    const [own, setOwn] = useState(false)
    const isOpen = given ?? own
    const open = onOpen ?? setOwn
    const [Part, setPart] = useState<ComponentType<Props & OpeningProps> | null>(null)
    const [isStanding, setStanding] = useState(false)
    const button = useRef<HTMLElement>(null)
    // The event `vite:preloadError` reports a failure. The next click tries again.
    const ask = (then: (part: ComponentType<Props & OpeningProps>) => void) =>
      load().then(
        module => then(module.default),
        () => open(false),
      )
    // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened first.
    useEffect(() => {
      if (isOpen && !Part) void ask(part => setPart(() => part))
    }, [isOpen])
    useEffect(() => {
      if (!Part) return
      // The button was made anew around which the part stands. What opens gives the focus back to where it was before.
      focusUnlessElsewhere(button.current)
      setStanding(true)
    }, [Part])
    useEffect(() => {
      if (!Part || isOpen) return
      // The element that had the focus before may be gone, such as the item of a menu that has opened this. A busy browser takes longer to
      // fade, and the focus stays inside until then.
      const timer = setInterval(() => {
        if (document.activeElement?.closest('[role=menu], [role=dialog]')) return
        clearInterval(timer)
        focusUnlessElsewhere(button.current)
      }, closingMs)
      return () => clearInterval(timer)
    }, [Part, isOpen])
    // The menu closes itself at Escape once it has the focus, which it takes a moment after it is painted: a key before that is for it too.
    useEffect(() => {
      if (!isOpen) return
      const close = (event: KeyboardEvent) => {
        const isInside = event.target instanceof Element && event.target.closest('[role=menu], [role=dialog]')
        if (event.key === 'Escape' && !event.defaultPrevented && !isInside) open(false)
      }
      window.addEventListener('keydown', close)
      return () => window.removeEventListener('keydown', close)
    }, [isOpen, open])
    if (!Part) {
      const near = () => void load().catch(() => null)
      return cloneElement(target, {
        onPointerEnter: near,
        onFocus: near,
        ...(!isOwnClick && { 'aria-haspopup': 'menu', onClick: () => open(true) }),
      })
    }
    // The part takes what its own properties are from the rest.
    const rest = props as unknown as Props
    return <Part {...rest} target={cloneElement(target, { ref: button })} isOpen={isOpen && isStanding} onOpen={open} />
  }
}
