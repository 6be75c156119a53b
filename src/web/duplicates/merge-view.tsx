// Two contacts side by side: the person chooses values and the contact that stays, then merges them or says that they are two people.

import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { IconArrowsExchange, IconGitMerge, IconUserX } from '@tabler/icons-react'
import { useState } from 'react'
import { useContactFields } from '../contact-record/fields/choices.ts'
import { type Contact, type ContactField, nameOf } from '../contact-record/fields/fields.ts'
import { useRead } from '../data/use-read.ts'
import { MergePreviewDocument } from '../generated/documents/duplicates.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { Time } from '../pieces/time.tsx'
import { type Choices, fieldsInput, type Side } from './choices.ts'
import classes from './duplicates.module.css'
import { MergeField } from './merge-field.tsx'
import type { Decisions } from './use-decisions.tsx'

interface MergeViewProps {
  winnerId: string
  loserId: string
  decisions: Decisions
  mayWrite: boolean
  isGuest: boolean
  onSwap(): void
  /** The person chose a value; from then on the address names the pair. */
  onTouch(): void
}

const picture: ContactField = { id: 'avatarUrl', label: duplicateWords.picture, kind: 'url' }

export function MergeView({ winnerId, loserId, decisions, mayWrite, isGuest, onSwap, onTouch }: MergeViewProps) {
  const [choices, setChoices] = useState<Choices>({})
  const fields = [...useContactFields(), picture]
  const read = useRead(MergePreviewDocument, { winnerId, loserId, fields: fieldsInput(choices) }, { isFresh: true })
  const preview = read.data?.mergePreview
  if (!preview) return <Unread read={read} height={72} />
  const { winner, loser } = preview
  const rows = (areSame: boolean) =>
    preview.fields
      // The company's name stands for its link.
      .filter(({ field, reason }) => field !== 'companyId' && (reason === 'SAME') === areSame)
      .map(merged => (
        <MergeField
          key={merged.field}
          field={fields.find(({ id }) => id === merged.field) ?? { id: merged.field, label: merged.field, kind: 'text' }}
          merged={merged}
          winner={winner}
          loser={loser}
          chosen={choices[merged.field]}
          isDisabled={!mayWrite || decisions.isRunning}
          onChoose={(side: Side) => {
            setChoices(before => ({ ...before, [merged.field]: side }))
            onTouch()
          }}
        />
      ))
  const same = rows(true)
  return (
    <>
      <section aria-label={duplicateWords.both} className={classes.fields}>
        <div className={classes.field}>
          <Button variant="subtle" color="gray" className={classes.label} leftSection={<IconArrowsExchange />} onClick={onSwap}>
            {duplicateWords.swap}
          </Button>
          <Person contact={winner} part={duplicateWords.stays} />
          <Person contact={loser} part={duplicateWords.goes} />
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
            {isGuest ? duplicateWords.signUp : duplicateWords.merge}
          </Button>
          <Button
            variant="default"
            leftSection={<IconUserX />}
            disabled={!mayWrite || decisions.isRunning}
            onClick={() => decisions.dismiss(winner, loser)}
          >
            {duplicateWords.notSame}
          </Button>
          <Text size="xs" c="dimmed">
            {duplicateWords.together}
          </Text>
        </Group>
      </div>
    </>
  )
}

function Person({ contact, part }: { contact: Contact; part: string }) {
  return (
    <Stack gap={0} miw={0} className={classes.side}>
      <Text size="xs" c="dimmed">
        {part}
      </Text>
      <AnchorLink to="/contacts/$contactId" params={{ contactId: contact.id }} fw={500} truncate title={nameOf(contact)}>
        {nameOf(contact)}
      </AnchorLink>
      <Text size="xs" c="dimmed" component="div">
        {duplicateWords.added} <Time at={contact.createdAt} />
      </Text>
    </Stack>
  )
}
