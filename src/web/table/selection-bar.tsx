// The bar at the bottom while rows are selected: their number, a button for all matching rows, and actions.

import { ActionIcon, Anchor, Group, Paper, Text, Transition } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
  const count = isEverything ? (total ?? ids.size) : ids.size
  const mayTakeAll = !isEverything && total != null && total > ids.size
  return (
    <Transition mounted={ids.size > 0} transition="slide-up" duration={160}>
      {style => (
        <Paper className={classes.selection} style={style} shadow="md" withBorder role="toolbar" aria-label="Selected rows">
          <Group gap="sm" className={classes.chosen}>
            <Text size="sm" fw={500}>
              {countText(count, nouns)}
            </Text>
            {mayTakeAll && (
              <Anchor component="button" size="sm" onClick={selection.selectEverything}>
                Select all {numberText(total)} that match
              </Anchor>
            )}
            {children}
            <ActionIcon aria-label="Clear the selection" onClick={selection.clear}>
              <IconX />
            </ActionIcon>
          </Group>
        </Paper>
      )}
    </Transition>
  )
}
