// The open pairs with their reasons, the most certain pair first.

import { Button, Text, UnstyledButton } from '@mantine/core'
import { type Contact, nameOf } from '../contact-record/fields/fields.ts'
import type { Connection } from '../data/use-connection.ts'
import type { DuplicatesQuery } from '../generated/operations.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import classes from './duplicates.module.css'

export type Pair = DuplicatesQuery['findDuplicates']['nodes'][number]

interface PairListProps {
  list: Connection<Pair>
  pairs: readonly Pair[]
  current: Pair | undefined
  onOpen(pair: Pair): void
}

export function PairList({ list, pairs, current, onOpen }: PairListProps) {
  return (
    <nav className={classes.list} aria-label={duplicateWords.pairs}>
      {pairs.map(pair => (
        <UnstyledButton
          key={`${pair.contact.id} ${pair.duplicate.id}`}
          className={classes.pair}
          aria-current={pair === current || undefined}
          onClick={() => onOpen(pair)}
        >
          <Who contact={pair.contact} />
          <Who contact={pair.duplicate} />
          <Text size="xs" c="dimmed">
            {pair.reasons.map(reason => duplicateWords.reason[reason]).join(' · ')}
          </Text>
        </UnstyledButton>
      ))}
      {list.hasMore && (
        <Button variant="subtle" color="gray" m="xs" loading={list.isLoadingMore} onClick={list.loadMore}>
          {duplicateWords.more}
        </Button>
      )}
    </nav>
  )
}

function Who({ contact }: { contact: Contact }) {
  const name = nameOf(contact)
  return (
    <Text size="sm" truncate>
      {name}
      {contact.email && contact.email !== name && (
        <Text span size="xs" c="dimmed" ml={6}>
          {contact.email}
        </Text>
      )}
    </Text>
  )
}
