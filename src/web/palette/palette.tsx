// The palette: goes to places, does what can be done from anywhere, and finds contacts, calls, notes and agents. Loaded at its first use.

import { Box, Highlight, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useBack } from '../frame/floating/use-back.ts'
import { Entry } from './entry.tsx'
import { useActions } from './use-actions.tsx'
import { minLength, useFound } from './use-found.tsx'

const [store, spotlight] = createSpotlight()

interface PaletteProps {
  isOpen: boolean
  onClose(): void
}

// Between the keys of somebody who types; more is felt as a delay.
const typingMs = 80

export default function Palette({ isOpen, onClose }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [typed] = useDebouncedValue(query.trim(), typingMs)
  const { found, isSearching, failure } = useFound(isOpen ? typed : '')
  const { places, actions } = useActions()
  useBack(isOpen, onClose)
  useEffect(() => {
    if (isOpen) spotlight.open()
    else spotlight.close()
  }, [isOpen])
  const matches = ({ label }: { label: string }) => label.toLowerCase().includes(query.trim().toLowerCase())
  const groups = [
    { label: 'Go to', entries: places.filter(matches) },
    { label: 'Do', entries: actions.filter(matches) },
    { label: 'Found', entries: query.trim().length < minLength ? [] : found },
  ].filter(({ entries }) => entries.length > 0)
  const hits = groups.flatMap(({ entries }) => entries.map(({ id }) => id))
  // What is found is still that of the letters before.
  const isPending = query.trim().length >= minLength && (isSearching || typed !== query.trim())
  const [isEnterAwaited, setEnterAwaited] = useState(false)
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isPending || groups.some(({ label }) => label !== 'Found')) return
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
      // The shell has the shortcut, because it loads this.
      shortcut={null}
      onSpotlightClose={onClose}
      clearQueryOnClose
      // At the top, so that what is found grows downwards while the line that is typed into stays.
      centered={false}
      yOffset="12dvh"
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      attributes={{ content: { 'aria-label': 'Search and go to' } }}
      scrollable
      maxHeight="min(60dvh, 480px)"
    >
      <Box onKeyDownCapture={onEnter}>
        <Spotlight.Search
          leftSection={<IconSearch />}
          placeholder="Find a contact, call, note or agent, or go to a place"
          aria-label="Search and go to"
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
          <Spotlight.Empty>{isSearching || typed !== query.trim() ? 'Searching' : 'Nothing has this name'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      <SelectFirst key={hits.join('\n')} isTaken={isEnterAwaited && !isPending} />
    </Spotlight.Root>
  )
}

const listElement = () => document.getElementById(store.getState().listId)

/** Selects the first hit of a list that has changed, as Mantine marks it. Stands behind the list, whose effects run before, so that its id is known. */
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
