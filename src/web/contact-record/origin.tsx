// The origin of a value: a mark beside the field, and the details on request.

import { Blockquote, Group, HoverCard, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconApi, IconLock, IconPhone, IconRobot, IconServer, IconSparkles, IconUser, IconWebhook } from '@tabler/icons-react'
import type { ActorType } from '../generated/schema.ts'
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
  AGENT: { icon: IconRobot, word: 'an agent' },
  ANONYMOUS: { icon: IconUser, word: 'somebody unknown' },
  API_KEY: { icon: IconApi, word: 'an API key' },
  GUEST: { icon: IconUser, word: 'a guest' },
  HOOK: { icon: IconWebhook, word: 'a hook' },
  SERVICE: { icon: IconServer, word: 'a backend' },
  SYSTEM: { icon: IconServer, word: 'the system' },
  USER: { icon: IconUser, word: 'a person' },
} as const satisfies Record<ActorType, { icon: typeof IconUser; word: string }>

export const actorName = ({ name, type }: { name: string | null; type: ActorType }): string => name || marks[type].word

function markOf({ suggestion, setBy }: FieldMeta) {
  if (suggestion?.callId) return { icon: IconPhone, word: 'a call' }
  if (suggestion) return { icon: IconSparkles, word: 'enrichment' }
  return marks[setBy.type]
}

export function Origin({ meta, label }: { meta: FieldMeta; label: string }) {
  const { icon: Icon, word } = markOf(meta)
  return (
    <HoverCard position="left" shadow="md" width={300} openDelay={200} withinPortal>
      <HoverCard.Target>
        <UnstyledButton className={classes.origin} aria-label={`Where ${label} comes from: ${word}${meta.locked ? ', locked' : ''}`}>
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
        {suggestion ? `From ${word}, taken over by ${actorName(setBy)}` : `Set by ${actorName(setBy)}`}, <Time at={setAt} />
      </Text>
      {suggestion?.evidence && (
        <Blockquote p="xs" iconSize={0} fz="sm" color="gray">
          {evidenceText(suggestion.evidence)}
        </Blockquote>
      )}
      {suggestion && (
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {wordOf(enrichmentWords.provider, suggestion.provider)}, {percent(suggestion.confidence)} sure
          </Text>
          {suggestion.sourceUrl && (
            <Text size="xs" component="span">
              <WebLink address={suggestion.sourceUrl} label="Source" />
            </Text>
          )}
          {suggestion.callId && (
            <AnchorLink to="/calls/$callId" params={{ callId: suggestion.callId }} size="xs">
              The call
            </AnchorLink>
          )}
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {locked
          ? 'Locked: a person set it. Machines may suggest another value, and never write one.'
          : 'Not locked: enrichment may change it.'}
      </Text>
    </Stack>
  )
}
