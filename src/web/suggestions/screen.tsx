// Suggestions: a queue for the keyboard. It shows one suggestion with its evidence, and the next ones below.

import { Box, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconFilterOff, IconListCheck } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { useConnection } from '../data/use-connection.ts'
import { Header } from '../frame/header.tsx'
import { PendingSuggestionsCountDocument, PendingSuggestionsDocument } from '../generated/documents/suggestions.ts'
import type {} from '../generated/operations.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { frameWords } from '../language/en/frame.ts'
import { suggestionWords } from '../language/en/screens/suggestions.ts'
import type { Change } from '../live/change.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Late } from '../pieces/states/late-skeleton.tsx'
import { useMe } from '../session/use-me.ts'
import { ContactAside } from './contact-aside.tsx'
import { Filters } from './filters.tsx'
import { NextOnes } from './next-ones.tsx'
import classes from './queue.module.css'
import { suggestionsRoute } from './route.tsx'
import { RulePanel } from './rule-panel.tsx'
import { SuggestionCard } from './suggestion-card.tsx'
import { type Decision, useDecisions } from './use-decisions.ts'

const pageSize = 50
// The next page is loaded before the queue reaches the end of this one.
const aheadCards = 10
const isChangedBy = ({ type }: Change) => type.startsWith('SUGGESTION_') && type !== 'SUGGESTION_ACCEPTED' && type !== 'SUGGESTION_REJECTED'

export function SuggestionsScreen() {
  const search = suggestionsRoute.useSearch()
  const navigate = useNavigate({ from: suggestionsRoute.fullPath })
  const [isRuling, setRuling] = useState(false)
  const { mayWrite, isGuest, isOff } = useMe()

  const { field, sure, contact, job, call, open } = search
  const filter = useMemo(
    () => ({
      status: 'PENDING' as const,
      field,
      contactId: contact,
      jobId: job,
      callId: call,
      minConfidence: sure === undefined ? undefined : Number(sure) / 100,
    }),
    [field, contact, job, call, sure],
  )
  const list = useConnection({
    document: PendingSuggestionsDocument,
    variables: { filter, first: pageSize },
    pick: data => data.suggestions,
    isChangedBy,
  })
  const [{ data: counted }] = useQuery({ query: PendingSuggestionsCountDocument, variables: { filter } })

  const change = (next: Partial<typeof search>) => void navigate({ search: before => ({ ...before, ...next }), replace: true })
  const decisions = useDecisions(({ id }) => change({ open: id }))
  const queue = list.rows.filter(({ id, status }) => status === 'PENDING' && !decisions.isDecided(id))
  const at = Math.max(
    0,
    queue.findIndex(({ id }) => id === open),
  )
  const current = queue[at]
  const go = (index: number) => {
    const next = queue[Math.min(Math.max(index, 0), queue.length - 1)]
    if (next) change({ open: next.id })
    if (index >= queue.length - aheadCards && list.hasMore && !list.isLoadingMore) list.loadMore()
  }
  const mayDecide = !isOff
  const decide = (decision: Decision) => {
    if (!current || !mayDecide) return
    decisions.decide(current, decision)
    const next = queue[at + 1] ?? queue[at - 1]
    change({ open: next?.id })
    if (queue.length <= aheadCards && list.hasMore) list.loadMore()
  }
  useShortcut('J', suggestionWords.keys.next, () => go(at + 1))
  useShortcut('K', suggestionWords.keys.previous, () => go(at - 1))
  useShortcut('A', suggestionWords.keys.accept, () => decide('ACCEPT'), { isOn: mayWrite })
  useShortcut('D', suggestionWords.keys.decline, () => decide('REJECT'), { isOn: mayWrite })
  useShortcut('U', suggestionWords.keys.undo, () => void decisions.undo(), { isOn: mayWrite })

  const isFiltered = [field, sure, contact, job, call].some(value => value !== undefined)
  const clear = () => change({ field: undefined, sure: undefined, contact: undefined, job: undefined, call: undefined })
  return (
    <>
      <Header
        title={frameWords.places.suggestions}
        actions={
          <Button variant="default" leftSection={<IconListCheck />} disabled={!mayDecide} onClick={() => setRuling(true)}>
            {isGuest ? suggestionWords.signUp : suggestionWords.rule.title}
          </Button>
        }
      />
      <DroppedFilters />
      <Filters field={field} sure={sure} total={counted?.suggestions.totalCount} decided={decisions.count} onChange={change} />
      {list.failure && (
        <Box p="md">
          <ErrorNotice failure={list.failure} onRetry={list.refresh} />
        </Box>
      )}
      {list.isLoading && <QueueSkeleton />}
      {!list.isLoading && current && (
        <div className={classes.queue}>
          <div className={classes.middle}>
            <SuggestionCard
              suggestion={current}
              failure={decisions.failures.get(current.id) ?? null}
              mayDecide={mayDecide}
              isGuest={isGuest}
              onDecide={decide}
            />
            <NextOnes suggestions={queue.slice(at + 1, at + 4)} onOpen={id => change({ open: id })} />
          </div>
          <ContactAside suggestion={current} />
        </div>
      )}
      {!list.isLoading && !list.failure && !current && (
        <Empty
          sentence={isFiltered ? suggestionWords.noMatch : suggestionWords.nothing}
          action={
            isFiltered ? (
              <Button variant="default" leftSection={<IconFilterOff />} onClick={clear}>
                {suggestionWords.clear}
              </Button>
            ) : (
              <Group gap="xs">
                <ButtonLink to="/contacts">{suggestionWords.enrich}</ButtonLink>
              </Group>
            )
          }
          guide={{ href: '/docs/guides/enrichment', label: suggestionWords.guide }}
        />
      )}
      <RulePanel isOpen={isRuling} onClose={() => setRuling(false)} onDecided={list.refresh} />
    </>
  )
}

function QueueSkeleton() {
  return (
    <Late>
      <div className={classes.queue} aria-busy="true">
        <div className={classes.middle}>
          <Skeleton height={360} radius="md" />
          <Skeleton height={108} radius="md" />
        </div>
        <Stack className={classes.aside} gap="sm">
          <Skeleton height={20} width={160} />
          <Skeleton height={180} />
        </Stack>
      </div>
    </Late>
  )
}
