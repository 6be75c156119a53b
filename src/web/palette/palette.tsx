// The palette: runs the verbs of the page and of the app, goes to places, and finds contacts, companies, deals, calls, notes and voice agents. It is loaded at
// its first use.

import { Box, Highlight, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useBack } from '../frame/floating/use-back.ts'
import { takeKeys } from '../frame/held-keys.ts'
import { frameWords } from '../language/en/frame.ts'
import { laterWords } from '../language/en/shared/later.ts'
import { pieceWords } from '../language/en/shared/pieces.ts'
import './palette.css'
import { Entry } from './entry.tsx'
import { useVerbsHere } from './here.tsx'
import { useActions } from './use-actions.tsx'
import { minLength, useFound } from './use-found.tsx'

const [store, spotlight] = createSpotlight()

interface PaletteProps {
  isOpen: boolean
  onClose(): void
}

// Waits for a pause in the typing. A longer wait feels like a delay.
const typingMs = 80

export default function Palette({ isOpen, onClose }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [typed] = useDebouncedValue(query.trim(), typingMs)
  const { isCall, sought } = readQuery(typed)
  const { found, isSearching, failure } = useFound(isOpen ? sought : '', isCall)
  const here = useVerbsHere(onClose)
  const { places, actions } = useActions()
  useBack(isOpen, onClose)
  useEffect(() => {
    if (isOpen) spotlight.open()
    else spotlight.close()
  }, [isOpen])
  const matches = ({ label }: { label: string }) => isNamed(label, query)
  const groups = [
    { label: frameWords.found.here, entries: here.filter(matches) },
    { label: frameWords.found.places, entries: places.filter(matches) },
    { label: frameWords.found.do, entries: actions.filter(matches) },
    { label: frameWords.found.found, entries: readQuery(query.trim()).sought.length < minLength ? [] : found },
  ].filter(({ entries }) => entries.length > 0)
  const hits = groups.flatMap(({ entries }) => entries.map(({ id }) => id))
  // The results still belong to an earlier text.
  const isPending = readQuery(query.trim()).sought.length >= minLength && (isSearching || typed !== query.trim())
  const [isEnterAwaited, setEnterAwaited] = useState(false)
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isPending || groups.some(({ label }) => label !== frameWords.found.found)) return
    event.stopPropagation()
    event.preventDefault()
    setEnterAwaited(true)
  }
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={text => {
        setQuery(text)
        setEnterAwaited(false)
      }}
      // The shell registers the shortcut, because the palette may not be loaded yet.
      shortcut={null}
      onSpotlightClose={onClose}
      clearQueryOnClose
      // At the top of the window, so that results grow downwards and the input stays in place.
      centered={false}
      yOffset="12dvh"
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      attributes={{ content: { 'aria-label': frameWords.searchAndGo } }}
      scrollable
      maxHeight="min(60dvh, 480px)"
    >
      <Box onKeyDownCapture={onEnter}>
        <Spotlight.Search
          leftSection={<IconSearch />}
          placeholder={laterWords.find.hint}
          aria-label={frameWords.searchAndGo}
          onFocus={() => {
            const { text, isEntered } = takeKeys()
            if (text !== '') setQuery(text)
            setEnterAwaited(isEntered)
          }}
        />
      </Box>
      <Spotlight.ActionsList>
        {groups.map(({ label, entries }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {entries.map(entry => (
              <Spotlight.Action key={entry.id} onClick={entry.run}>
                <Entry icon={entry.icon} kind={entry.kind}>
                  <Highlight highlight={query.trim()} size="sm" truncate color="green">
                    {entry.label}
                  </Highlight>
                  {entry.detail && (
                    <Text size="xs" c="dimmed" truncate>
                      {entry.detail}
                    </Text>
                  )}
                </Entry>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {failure && <Spotlight.Empty>{failure.message}</Spotlight.Empty>}
        {groups.length === 0 && !failure && (
          <Spotlight.Empty>{isSearching || typed !== query.trim() ? pieceWords.searching : laterWords.find.nothing}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      <SelectFirst key={hits.join('\n')} isTaken={isEnterAwaited && !isPending} />
    </Spotlight.Root>
  )
}

/** Whether each word of the query begins a word of the label. Parts inside of words would hide people behind places. */
function isNamed(label: string, query: string): boolean {
  const words = wordsOf(label)
  return wordsOf(query).every(one => words.some(word => word.startsWith(one)))
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter(Boolean)

/** "call ada" looks for people to call. */
function readQuery(query: string): { isCall: boolean; sought: string } {
  const [first = '', ...rest] = query.split(/\s+/)
  const isCall = rest.length > 0 && first.toLowerCase() === laterWords.verbs.callWord
  return { isCall, sought: isCall ? rest.join(' ') : query }
}

const listElement = () => document.getElementById(store.getState().listId)

/**
 * Selects the first hit of a new list, with Mantine's mark. It is rendered after the list: the list's effects run first, and set the list's id.
 */
function SelectFirst({ isTaken }: { isTaken: boolean }) {
  useEffect(() => {
    const list = listElement()
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    store.updateState(state => ({ ...state, selected: 0 }))
  }, [])
  useEffect(() => {
    if (isTaken) listElement()?.querySelector<HTMLElement>('[data-selected]')?.click()
  }, [isTaken])
  return null
}
