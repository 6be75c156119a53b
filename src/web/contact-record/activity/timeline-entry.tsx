// An event in the timeline: its sentence, the changed values and the time.

import { Box, Text } from '@mantine/core'
import { timelineWords } from '../../language/en/timeline.ts'
import { percent } from '../../language/format.ts'
import { AnchorLink } from '../../pieces/links.tsx'
import { Time } from '../../pieces/time.tsx'
import classes from '../record.module.css'
import { Changes } from './changes.tsx'
import { meaningOf } from './kinds.tsx'
import { detailOf, EntrySentence, type Told } from './sentence.tsx'

export function TimelineEntry(told: Told) {
  const { entry, fields, members } = told
  const [kind, Icon] = meaningOf(entry)
  const detail = detailOf(told)
  return (
    <Box component="li" className={classes.entry}>
      <span className={classes.icon}>
        <Icon aria-hidden />
      </span>
      <div>
        <Text size="sm" className={classes.text}>
          <EntrySentence {...told} />
          <Suggested {...told} />
        </Text>
        {kind !== 'calls' && <Changes changes={changesOf(told)} fields={fields} members={members} />}
        {detail && (
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

// The event of a merge has its changes among its details.
const changesOf = ({ entry: { event, changes } }: Told) => (event && 'changes' in event ? event.changes : changes)

/** How sure a suggestion is, and the way to it while it waits. */
function Suggested({ entry: { event, entityId, contact }, record, isCurrent }: Told) {
  if (event?.__typename !== 'SuggestionAddedEntry') return null
  return (
    <>
      {event.confidence !== null && (
        <Text span inherit c="dimmed">
          {' '}
          ({timelineWords.sure(percent(event.confidence))})
        </Text>
      )}
      {isCurrent && (
        <>
          {' '}
          <AnchorLink
            to="/suggestions"
            search={{ contact: record.noun === 'contact' ? record.id : contact?.id, open: entityId }}
            underline="always"
            inherit
          >
            {timelineWords.decide}
          </AnchorLink>
        </>
      )}
    </>
  )
}
