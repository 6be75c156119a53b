// One filter in the toolbar: a chip that names its values and opens its editor, with a button that clears it.

import { ActionIcon, Button, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { listWords } from '../../language/en/contact/list.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import classes from './filters.module.css'
import type { FilterKind } from './kinds.ts'
import type { FilterSearch } from './search.ts'

const CompanyName = lazy(() => loadPart(() => import('./company.tsx')))
const Editor = opensLater(() => loadPart(() => import('./chip-editor.tsx')))

interface ChipProps {
  kind: FilterKind
  search: FilterSearch
  isOpen: boolean
  onOpen(isOpen: boolean): void
  onChange(change: FilterSearch): void
}

export function Chip({ kind, search, isOpen, onOpen, onChange }: ChipProps) {
  const said = kind.says(search)
  return (
    <Editor
      kind={kind}
      search={search}
      onChange={onChange}
      isOpen={isOpen}
      onOpen={onOpen}
      isOwnClick
      target={
        <Button.Group>
          <Button variant="default" className={classes.chip} onClick={() => onOpen(!isOpen)} aria-expanded={isOpen} aria-haspopup="dialog">
            <Text span size="xs" c="dimmed">
              {kind.label}
            </Text>
            <Text span size="xs" truncate maw={200} ml={6}>
              <Suspense>{said && kind.editor.kind === 'company' ? <CompanyName id={said} /> : said || 'any'}</Suspense>
            </Text>
          </Button>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={listWords.filter.clear(kind.label)}
            onClick={() => {
              onOpen(false)
              onChange(kind.clear(search))
            }}
          >
            <IconX size={14} />
          </ActionIcon>
        </Button.Group>
      }
    />
  )
}
