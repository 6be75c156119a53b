// One event of the timeline: who did what, what it changed, and when.

import { Box, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { AnchorLink } from '../../pieces/links.tsx'
import { words } from '../../pieces/status.tsx'
import { Time } from '../../pieces/time.tsx'
import { type ContactField, customKey, textOf } from '../fields/fields.ts'
import { actorName } from '../origin.tsx'
import classes from '../record.module.css'
import { detailOf, type Entry, type EntryKind, meaningOf } from './kinds.tsx'

// Fields whose values are words of the API, such as `goal_met`.
const ofWords = new Set(['lifecycleStage', 'source', 'status', 'outcome'])

interface TimelineEntryProps {
  entry: Entry
  fields: readonly ContactField[]
  owners: ReadonlyMap<string, string>
}

export function TimelineEntry({ entry, fields, owners }: TimelineEntryProps) {
  const { kind, icon: Icon, verb } = meaningOf(entry)
  const detail = detailOf(entry)
  const labelOf = (id: string) => fields.find(field => field.id === id)?.label ?? customKey(id) ?? words(id)
  const shown = (field: string, value: unknown) => {
    if (field === 'ownerUserId') return owners.get(textOf(value)) ?? textOf(value)
    return ofWords.has(field) ? words(textOf(value)) : textOf(value)
  }
  return (
    <Box component="li" className={classes.entry}>
      <span className={classes.icon}>
        <Icon size={16} stroke={1.5} aria-hidden />
      </span>
      <div>
        <Text size="sm">
          <Text span inherit fw={500}>
            {actorName(entry.actor)}
          </Text>{' '}
          {verb} <EntryLink entry={entry} kind={kind} />
        </Text>
        {entry.changes.map(({ field, before, after }) => (
          <Text key={field} size="sm" c="dimmed" className={classes.text}>
            {labelOf(field)}{' '}
            {textOf(before) !== '' && (
              <>
                <s>{shown(field, before)}</s> <IconArrowRight size={12} stroke={1.5} aria-label="became" />{' '}
              </>
            )}
            <Text span inherit c="var(--mantine-color-text)">
              {textOf(after) === '' ? 'nothing' : shown(field, after)}
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

/** Leads to the call, the task or the job that the event is about, while it is there. */
function EntryLink({ entry: { type, entityId: id }, kind }: { entry: Entry; kind: EntryKind }) {
  if (kind === 'calls')
    return (
      <AnchorLink to="/calls/$callId" params={{ callId: id }} inherit>
        Open the call
      </AnchorLink>
    )
  if (kind === 'tasks' && type !== 'CONTACT_TASK_DELETED')
    return (
      <AnchorLink to="/tasks" search={{ open: id }} inherit>
        Open the task
      </AnchorLink>
    )
  if (type.startsWith('ENRICHMENT_JOB_'))
    return (
      <AnchorLink to="/jobs" search={{ open: id }} inherit>
        Open the job
      </AnchorLink>
    )
  return null
}
