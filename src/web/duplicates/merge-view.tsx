// Two records side by side: the person chooses values and the record that stays, then merges them or says that they are two.

import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { IconArrowsExchange, IconArrowsSplit2, IconGitMerge } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../data/use-read.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { Time } from '../pieces/time.tsx'
import { RecordLink } from '../record/link.tsx'
import { fieldsInput } from './choices.ts'
import classes from './duplicates.module.css'
import type { Choices, MergedRecord, MergeKind } from './kind.ts'
import { MergeField } from './merge-field.tsx'
import type { Decisions } from './use-decisions.tsx'

interface MergeViewProps<Row extends MergedRecord> {
  kind: MergeKind<Row>
  winnerId: string
  loserId: string
  decisions: Decisions<Row>
  mayWrite: boolean
  isGuest: boolean
  onSwap(): void
  /** The person chose a value; from then on the address names the pair. */
  onTouch(): void
}

export function MergeView<Row extends MergedRecord>(props: MergeViewProps<Row>) {
  const { kind, winnerId, loserId, decisions, mayWrite, isGuest, onSwap, onTouch } = props
  const { words } = kind
  const [choices, setChoices] = useState<Choices>({})
  const fields = kind.useFields()
  const read = useRead(kind.preview, { winnerId, loserId, fields: fieldsInput(choices) }, { isFresh: true })
  const preview = read.data?.preview
  if (!preview) return <Unread read={read} height={72} />
  const { winner, loser } = preview
  // In the order of the record's page.
  const placeOf = (field: string) => {
    const place = fields.findIndex(({ id }) => id === field)
    return place < 0 ? fields.length : place
  }
  const rows = (areSame: boolean) =>
    preview.fields
      // The company's name stands for its link.
      .filter(({ field, reason }) => field !== 'companyId' && (reason === 'SAME') === areSame)
      .toSorted((one, other) => placeOf(one.field) - placeOf(other.field))
      .map(merged => (
        <MergeField
          key={merged.field}
          field={fields.find(({ id }) => id === merged.field) ?? { id: merged.field, label: merged.field, kind: 'text' }}
          merged={merged}
          winner={winner}
          loser={loser}
          chosen={choices[merged.field]}
          isDisabled={!mayWrite || decisions.isRunning}
          onChoose={side => {
            setChoices(before => ({ ...before, [merged.field]: side }))
            onTouch()
          }}
        />
      ))
  const same = rows(true)
  return (
    <>
      <section aria-label={words.both} className={classes.fields}>
        <div className={classes.field}>
          <Button variant="subtle" color="gray" className={classes.label} leftSection={<IconArrowsExchange />} onClick={onSwap}>
            {duplicateWords.swap}
          </Button>
          <Head kind={kind} row={winner} part={duplicateWords.stays} />
          <Head kind={kind} row={loser} part={duplicateWords.goes} />
        </div>
        {rows(false)}
        {same.length > 0 && <Divider my="xs" label={duplicateWords.same} labelPosition="left" />}
        {same}
      </section>
      <div className={classes.actions}>
        {decisions.failure && <ErrorNotice failure={decisions.failure} />}
        <Group gap="xs">
          <Button
            leftSection={<IconGitMerge />}
            disabled={!mayWrite}
            loading={decisions.isRunning}
            onClick={() => void decisions.merge(winner, loser, fieldsInput(choices))}
          >
            {isGuest ? duplicateWords.signUp : words.merge}
          </Button>
          <Button
            variant="default"
            leftSection={<IconArrowsSplit2 />}
            disabled={!mayWrite || decisions.isRunning}
            onClick={() => decisions.dismiss(winner, loser)}
          >
            {words.notSame}
          </Button>
          <Text size="xs" c="dimmed">
            {words.together}
          </Text>
        </Group>
      </div>
    </>
  )
}

interface HeadProps<Row extends MergedRecord> {
  kind: MergeKind<Row>
  row: Row
  part: string
}

function Head<Row extends MergedRecord>({ kind: { noun, nameOf }, row, part }: HeadProps<Row>) {
  return (
    <Stack gap={0} miw={0} className={classes.side}>
      <Text size="xs" c="dimmed">
        {part}
      </Text>
      <Text fw={500} truncate title={nameOf(row)}>
        <RecordLink record={{ noun, id: row.id }} inherit>
          {nameOf(row)}
        </RecordLink>
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {duplicateWords.added} <Time at={row.createdAt} />
      </Text>
    </Stack>
  )
}
