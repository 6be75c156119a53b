// An event in the timeline: the actor, the action, the changed values and the time.

import { Box, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { noteAnchor } from '../../address/note-anchor.ts'
import { fieldLabel, plainWords, valueText } from '../../language/values.ts'
import { AnchorLink } from '../../pieces/links.tsx'
import { Time } from '../../pieces/time.tsx'
import { type ContactField, customKey } from '../fields/fields.ts'
import { actorName } from '../origin.tsx'
import classes from '../record.module.css'
import { detailOf, type Entry, type EntryKind, meaningOf } from './kinds.tsx'

// Fields whose values are words of the API, such as `goal_met`.
const ofWords = new Set(['lifecycleStage', 'source', 'status', 'outcome'])

interface TimelineEntryProps {
  entry: Entry
  fields: readonly ContactField[]
  owners: ReadonlyMap<string, string>
  contactId: string
  /** Whether the note still exists, or the suggestion still waits for a decision. */
  isCurrent: boolean
}

export function TimelineEntry({ entry, fields, owners, contactId, isCurrent }: TimelineEntryProps) {
  const { kind, icon: Icon, verb } = meaningOf(entry)
  const detail = detailOf(entry)
  const labelOf = (id: string) => fields.find(field => field.id === id)?.label ?? customKey(id) ?? fieldLabel(id)
  const displayText = (field: string, value: unknown) => {
    if (field === 'ownerUserId') return owners.get(valueText(value)) ?? valueText(value)
    return ofWords.has(field) ? plainWords(valueText(value)) : valueText(value)
  }
  return (
    <Box component="li" className={classes.entry}>
      <span className={classes.icon}>
        <Icon aria-hidden />
      </span>
      <div>
        <Text size="sm">
          <Text span inherit fw={500}>
            {actorName(entry.actor)}
          </Text>{' '}
          {verb} <EntryLink entry={entry} kind={kind} contactId={contactId} isCurrent={isCurrent} />
        </Text>
        {entry.changes.map(({ field, before, after }) => (
          <Text key={field} size="sm" c="dimmed" className={classes.text}>
            {labelOf(field)}{' '}
            {valueText(before) !== '' && (
              <>
                <s>{displayText(field, before)}</s> <IconArrowRight size={12} aria-label="became" />{' '}
              </>
            )}
            <Text span inherit c="var(--mantine-color-text)">
              {valueText(after) === '' ? 'nothing' : displayText(field, after)}
            </Text>
          </Text>
        ))}
        {detail !== '' && (
          <Text size="sm" className={classes.text} c={kind === 'notes' ? undefined : 'dimmed'} lineClamp={6}>
            {detail}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" component="span">
        <Time at={entry.createdAt} />
      </Text>
    </Box>
  )
}

interface EntryLinkProps extends Pick<TimelineEntryProps, 'entry' | 'contactId' | 'isCurrent'> {
  kind: EntryKind
}

/** Leads to the call, task, job, note or waiting suggestion of the event, while it exists. */
function EntryLink({ entry: { type, entityId: id }, kind, contactId, isCurrent }: EntryLinkProps) {
  if (kind === 'calls')
    return (
      <AnchorLink to="/calls/$callId" params={{ callId: id }} underline="always" inherit>
        Open the call
      </AnchorLink>
    )
  if (kind === 'tasks' && type !== 'CONTACT_TASK_DELETED')
    return (
      <AnchorLink to="/tasks" search={{ open: id }} underline="always" inherit>
        Open the task
      </AnchorLink>
    )
  if (type.startsWith('ENRICHMENT_JOB_'))
    return (
      <AnchorLink to="/jobs" search={{ open: id }} underline="always" inherit>
        Open the job
      </AnchorLink>
    )
  if (type === 'SUGGESTION_CREATED' && isCurrent)
    return (
      <AnchorLink to="/suggestions" search={{ contact: contactId, open: id }} underline="always" inherit>
        Decide
      </AnchorLink>
    )
  if (kind === 'notes' && isCurrent)
    return (
      <AnchorLink
        to="/contacts/$contactId"
        params={{ contactId }}
        search={{ tab: 'notes' }}
        hash={noteAnchor(id)}
        underline="always"
        inherit
      >
        Open the note
      </AnchorLink>
    )
  return null
}
