// The bar at the bottom while rows are selected: their number, a button for all matching rows, and actions.

import { ActionIcon, Anchor, Group, Paper, Text, Transition } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { tableWords } from '../language/en/frame.ts'
import { countText, numberText, type Plural } from '../language/format.ts'
import classes from './table.module.css'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  selection: Selection
  /** The noun of the rows. */
  nouns: Plural
  /** The number of rows that match the filter; null until it is known. */
  total?: number | null | undefined
  children: ReactNode
}

export function SelectionBar({ selection, nouns, total, children }: SelectionBarProps) {
  const { ids, isEverything } = selection
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const count = isEverything ? (total ?? ids.size) : ids.size
  const mayTakeAll = !isEverything && total != null && total > ids.size
  return (
    <Transition mounted={ids.size > 0} transition="slide-up" duration={160}>
      {style => (
        <Paper
          className={classes.selection}
          style={style}
          shadow="md"
          withBorder
          role="toolbar"
          aria-label={tableWords.selected}
          data-bottom-bar
        >
          <Group gap={isPhone ? 4 : 'sm'} className={classes.chosen}>
            <Text size="sm" fw={500} truncate>
              {countText(count, nouns)}
            </Text>
            {mayTakeAll && (
              <Anchor
                component="button"
                size="sm"
                flex="none"
                aria-label={tableWords.selectAll(numberText(total))}
                onClick={() => selection.selectEverything()}
              >
                {(isPhone ? tableWords.all : tableWords.selectAll)(numberText(total))}
              </Anchor>
            )}
            {children}
            <ActionIcon aria-label={tableWords.clear} onClick={selection.clear}>
              <IconX />
            </ActionIcon>
          </Group>
        </Paper>
      )}
    </Transition>
  )
}
