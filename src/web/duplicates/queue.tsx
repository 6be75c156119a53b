// The pairs of a noun at the left, and the open pair beside them. On a phone the pair replaces the list.

import { Box, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useQuery } from 'urql'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { useConnection } from '../data/use-connection.ts'
import { Header } from '../frame/header.tsx'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Late } from '../pieces/states/late-skeleton.tsx'
import { wayToRecord } from '../record/way.ts'
import { useMe } from '../session/use-me.ts'
import classes from './duplicates.module.css'
import type { MergedRecord, MergeKind, Pair } from './kind.ts'
import { MergeView } from './merge-view.tsx'
import { PairList } from './pair-list.tsx'
import { duplicatesRoute } from './route.tsx'
import { useDecisions } from './use-decisions.tsx'

const pageSize = 50
const isOf = ({ first, duplicate }: Pair<{ id: string }>, one: string | undefined, other: string | undefined) =>
  (first.id === one && duplicate.id === other) || (first.id === other && duplicate.id === one)

interface QueueProps<Row extends MergedRecord> {
  kind: MergeKind<Row>
  /** Chooses the noun. */
  nouns: ReactNode
}

export function Queue<Row extends MergedRecord>({ kind, nouns }: QueueProps<Row>) {
  const { of, keep, other, back } = duplicatesRoute.useSearch()
  const navigate = useNavigate({ from: duplicatesRoute.fullPath })
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const { isGuest, isOff } = useMe()
  const list = useConnection({
    document: kind.pairs,
    variables: { first: pageSize },
    pick: data => data.pairs,
    isChangedBy: kind.isChangedBy,
  })
  const [{ data: counted }] = useQuery({ query: kind.count, variables: {} })
  const total = counted?.pairs.totalCount

  const go = (next: { keep: string | undefined; other: string | undefined; back?: boolean | undefined }) =>
    void navigate({ search: { of, ...next }, replace: true })
  const open = (pair: Pair<Row> | undefined) => go({ keep: pair?.first.id, other: pair?.duplicate.id })
  const decisions = useDecisions(kind, (one, another) => {
    const at = pairs.findIndex(pair => isOf(pair, one, another))
    if (back) return void navigate(wayToRecord({ noun: kind.noun, id: one }))
    open(pairs[at + 1] ?? pairs[at - 1])
  })
  const pairs = list.rows.filter(({ first, duplicate }) => !decisions.isDecided(first.id, duplicate.id))
  const isNamed = keep !== undefined && other !== undefined
  const current = isNamed ? pairs.find(pair => isOf(pair, keep, other)) : isPhone ? undefined : pairs[0]
  const winnerId = isNamed ? keep : current?.first.id
  const loserId = isNamed ? other : current?.duplicate.id

  const step = (by: number) => {
    const next = pairs[(current ? pairs.indexOf(current) : -1) + by]
    if (next) open(next)
  }
  const swap = () => go({ keep: loserId, other: winnerId, back })
  useShortcut('J', duplicateWords.next, () => step(1))
  useShortcut('K', duplicateWords.previous, () => step(-1))
  useShortcut('X', kind.words.swapKey, swap, { isOn: winnerId !== undefined })

  const showsList = !isPhone || winnerId === undefined
  return (
    <>
      <Header
        title={duplicateWords.title}
        views={
          <>
            {nouns}
            {total != null && (
              <Text size="sm" c="dimmed" visibleFrom="xs">
                {countText(total, nounWords.pair)}
              </Text>
            )}
          </>
        }
      />
      <DroppedFilters />
      {list.failure && (
        <Box p="md">
          <ErrorNotice failure={list.failure} onRetry={list.refresh} />
        </Box>
      )}
      {list.isLoading && <LoadingPairs />}
      {!list.isLoading && !list.failure && pairs.length === 0 && !isNamed && (
        <Empty
          sentence={kind.words.empty}
          action={
            <ButtonLink to={kind.noun === 'contact' ? '/contacts' : '/companies'} variant="default">
              {kind.words.back}
            </ButtonLink>
          }
        />
      )}
      {!list.isLoading && (pairs.length > 0 || isNamed) && (
        <div className={classes.page}>
          {showsList && <PairList kind={kind} list={list} pairs={pairs} current={current} onOpen={open} />}
          {winnerId !== undefined && loserId !== undefined && (
            <div className={classes.merge}>
              {isPhone && (
                <Button
                  variant="subtle"
                  color="gray"
                  className={classes.back}
                  leftSection={<IconArrowLeft />}
                  onClick={() => open(undefined)}
                >
                  {duplicateWords.all}
                </Button>
              )}
              <MergeView
                // Choices belong to one pair in one order, so another pair or a swap starts without any.
                key={`${winnerId} ${loserId}`}
                kind={kind}
                winnerId={winnerId}
                loserId={loserId}
                decisions={decisions}
                mayWrite={!isOff}
                isGuest={isGuest}
                onSwap={swap}
                onTouch={() => {
                  if (!isNamed) go({ keep: winnerId, other: loserId })
                }}
              />
            </div>
          )}
        </div>
      )}
    </>
  )
}

function LoadingPairs() {
  return (
    <Late>
      <div className={classes.page} aria-busy="true">
        <Stack className={classes.list} gap="xs" p="sm">
          <Skeleton height={64} />
          <Skeleton height={64} />
          <Skeleton height={64} />
        </Stack>
        <Stack className={classes.merge} gap="xs">
          <Skeleton height={72} />
          <Skeleton height={320} />
        </Stack>
      </div>
    </Late>
  )
}
