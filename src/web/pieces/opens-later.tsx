// Menus and popovers that are loaded at their first use. Their button is there at once, and loads the rest when a pointer or the focus reaches
// it. Menu and Popover alone weigh as much as a whole list.

import { type ComponentType, cloneElement, type ReactElement, type Ref, useEffect, useRef, useState } from 'react'

/** The properties of the loaded part, which wraps `target` as the target of its menu or popover. */
export interface OpeningProps {
  target: ReactElement
  isOpen: boolean
  onOpen(isOpen: boolean): void
}

interface OpensLaterProps {
  target: ReactElement<TargetProps>
  /** Set when the parent decides; otherwise a click on the target opens it. */
  isOpen?: boolean
  onOpen?(isOpen: boolean): void
  /** For a target with its own click handler. */
  isOwnClick?: boolean
}

interface TargetProps {
  ref?: Ref<HTMLElement>
  onClick?(): void
  onPointerEnter?(): void
  onFocus?(): void
  'aria-haspopup'?: 'menu' | 'dialog'
}

// Longer than the fading of a closing menu.
const closingMs = 250

/** Focuses the button, or the first button in a group, when nothing has the focus. */
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
    // `vite:preloadError` reports a failure; the next click tries again.
    const ask = (then: (part: ComponentType<Props & OpeningProps>) => void) =>
      load().then(
        module => then(module.default),
        () => open(false),
      )
    // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, at the first opening.
    useEffect(() => {
      if (isOpen && !Part) void ask(part => setPart(() => part))
    }, [isOpen])
    useEffect(() => {
      if (!Part) return
      // Loading has replaced the button's element. The part needs the focus on the new one, to give it back on closing.
      focusUnlessElsewhere(button.current)
      setStanding(true)
    }, [Part])
    useEffect(() => {
      if (!Part || isOpen) return
      // The element with the former focus may be gone, for example the item of a menu that opened this one.
      const timer = setTimeout(() => focusUnlessElsewhere(button.current), closingMs)
      return () => clearTimeout(timer)
    }, [Part, isOpen])
    // A menu closes itself on Escape only when it has the focus, a moment after it is painted. This listener handles earlier keys.
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
    // Guarantee: the remaining properties are the part's own.
    const rest = props as unknown as Props
    return <Part {...rest} target={cloneElement(target, { ref: button })} isOpen={isOpen && isStanding} onOpen={open} />
  }
}
