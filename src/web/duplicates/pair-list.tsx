// The open pairs with their reasons, the most certain pair first.

import { Button, Text, UnstyledButton } from '@mantine/core'
import type { Connection } from '../data/use-connection.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import classes from './duplicates.module.css'
import type { MergedRecord, MergeKind, Pair } from './kind.ts'

interface PairListProps<Row extends MergedRecord> {
  kind: MergeKind<Row>
  list: Connection<Pair<Row>>
  pairs: readonly Pair<Row>[]
  current: Pair<Row> | undefined
  onOpen(pair: Pair<Row>): void
}

export function PairList<Row extends MergedRecord>({ kind, list, pairs, current, onOpen }: PairListProps<Row>) {
  return (
    <nav className={classes.list} aria-label={duplicateWords.pairs}>
      {pairs.map(pair => (
        <UnstyledButton
          key={`${pair.first.id} ${pair.duplicate.id}`}
          className={classes.pair}
          aria-current={pair === current || undefined}
          onClick={() => onOpen(pair)}
        >
          <Which kind={kind} row={pair.first} />
          <Which kind={kind} row={pair.duplicate} />
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

function Which<Row extends MergedRecord>({ kind, row }: { kind: MergeKind<Row>; row: Row }) {
  const [name, detail] = [kind.nameOf(row), kind.detailOf(row)]
  return (
    <Text size="sm" truncate>
      {name}
      {detail && detail !== name && (
        <Text span size="xs" c="dimmed" ml={6}>
          {detail}
        </Text>
      )}
    </Text>
  )
}
