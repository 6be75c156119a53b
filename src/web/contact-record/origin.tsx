// The origin of a value: a mark beside the field, and the details on request.

import { Blockquote, Group, HoverCard, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconApi, IconLock, IconPhone, IconRobot, IconServer, IconSparkles, IconUser, IconWebhook } from '@tabler/icons-react'
import type { ActorType } from '../generated/schema.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { percent } from '../language/format.ts'
import { evidenceText } from '../language/reasons.ts'
import { wordOf } from '../language/values.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { Time } from '../pieces/time.tsx'
import { WebLink } from './fields/web-link.tsx'
import classes from './record.module.css'
import type { FieldMeta } from './use-record.ts'

const marks = {
  AGENT: IconRobot,
  ANONYMOUS: IconUser,
  API_KEY: IconApi,
  GUEST: IconUser,
  HOOK: IconWebhook,
  SERVICE: IconServer,
  SYSTEM: IconServer,
  USER: IconUser,
} as const satisfies Record<ActorType, typeof IconUser>

/** A part of the program has the name that the code gives it, which nobody knows: it is told as Rolocom. */
export const actorName = ({ name, type }: { name: string | null; type: ActorType }): string =>
  (type !== 'SYSTEM' && name) || recordWords.origin[type]

function markOf({ suggestion, setBy }: FieldMeta) {
  if (suggestion?.callId) return { icon: IconPhone, word: recordWords.origin.call }
  if (suggestion) return { icon: IconSparkles, word: recordWords.origin.enrichment }
  return { icon: marks[setBy.type], word: recordWords.origin[setBy.type] }
}

export function Origin({ meta, label }: { meta: FieldMeta; label: string }) {
  const { icon: Icon, word } = markOf(meta)
  return (
    <HoverCard position="left" shadow="md" width={300} openDelay={200} withinPortal>
      <HoverCard.Target>
        <UnstyledButton
          className={classes.origin}
          aria-label={recordWords.where(label, meta.locked ? `${word}, ${recordWords.locked}` : word)}
        >
          {meta.locked && <IconLock size={12} />}
          <Icon size={14} />
        </UnstyledButton>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <Story meta={meta} word={word} />
      </HoverCard.Dropdown>
    </HoverCard>
  )
}

function Story({ meta, word }: { meta: FieldMeta; word: string }) {
  const { suggestion, setBy, setAt, locked } = meta
  return (
    <Stack gap={6}>
      <Text size="sm">
        {suggestion ? recordWords.accepted(word, actorName(setBy)) : recordWords.setBy(actorName(setBy))}, <Time at={setAt} />
      </Text>
      {suggestion?.evidence && (
        <Blockquote p="xs" iconSize={0} fz="sm" color="gray">
          {evidenceText(suggestion.evidence)}
        </Blockquote>
      )}
      {suggestion && (
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {wordOf(enrichmentWords.provider, suggestion.provider)}, {enrichmentWords.sure(percent(suggestion.confidence))}
          </Text>
          {suggestion.sourceUrl && (
            <Text size="xs" component="span">
              <WebLink address={suggestion.sourceUrl} label={recordWords.source} />
            </Text>
          )}
          {suggestion.callId && (
            <AnchorLink to="/calls/$callId" params={{ callId: suggestion.callId }} size="xs">
              {recordWords.openCall}
            </AnchorLink>
          )}
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {locked ? recordWords.isLocked : recordWords.isOpen}
      </Text>
    </Stack>
  )
}
